import type { TenantId } from '../../domain/kernel/ids';
import type { PolicyVersion } from '../../domain/routing/policy-version';

/** Versions of routing policies. Every write is durable and visible in `Configuration` when it resolves. */
export interface PolicyStore {
  /** Adds a version and makes it the current one; `conflict`: `version` is not the successor of the stored one. */
  append(version: PolicyVersion): Promise<'stored' | 'conflict'>;
  /** All versions, newest first, those of a removed policy included. */
  versions(tenant: TenantId, name: string): Promise<readonly PolicyVersion[]>;
  /** The policy matches no more; its versions stay for the auditor. `conflict`: `expectedVersion` is not current. */
  remove(tenant: TenantId, name: string, expectedVersion: number): Promise<'removed' | 'conflict'>;
}
