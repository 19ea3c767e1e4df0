import { termProblems, type ArchiveTerm } from '../../domain/archive/archive-term';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import { err, ok, type Result } from '../../domain/kernel/result';
import type { ArchiveStore } from '../port/archive-store';
import type { Clock } from '../port/clock';

export type SwitchArchiveDeps = Readonly<{
  store: Pick<ArchiveStore, 'switchOn' | 'switchOff'>;
  clock: Clock;
}>;

/** Switches a tenant's archive on for a limited time, or off with all that it holds. */
export class SwitchArchive {
  constructor(private readonly deps: SwitchArchiveDeps) {}

  async on(tenant: TenantId, term: ArchiveTerm): Promise<Result<ArchiveTerm, GatewayError>> {
    const { store, clock } = this.deps;
    const problems = termProblems(term, clock.nowMs());
    if (problems.length > 0) return err({ code: 'unprocessable', problems });
    await store.switchOn(tenant, term);
    return ok(term);
  }

  off(tenant: TenantId): Promise<void> {
    return this.deps.store.switchOff(tenant);
  }
}
