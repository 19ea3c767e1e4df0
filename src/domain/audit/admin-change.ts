import type { ApiKeyId, TenantId } from '../kernel/ids';
import type { FieldChange } from './field-changes';

/** What can be changed by an admin or an operator, the wallets that operators credit, and the purge of a chain, which retention does. */
export const CHANGED_OBJECTS = [
  'tenant',
  'api_key',
  'provider',
  'channel',
  'model',
  'offering',
  'offering_checks',
  'routing_policy',
  'wallet',
  'archive_entry',
  'audit_chain',
] as const;
export type ChangedObject = (typeof CHANGED_OBJECTS)[number];

export const CHANGE_ACTIONS = [
  'created',
  'updated',
  'removed',
  'revoked',
  'enabled',
  'disabled',
  'restored',
  'purged',
  'credited',
  'read',
] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** Who did it where no key did: the gateway itself, or the machine's owner at the command line. */
export const SYSTEM_AUTHOR = 'system';
export const OWNER_AUTHOR = 'machine_owner';

/** One change of the configuration: who did what to which object, and never a secret. */
export type AdminChange = Readonly<{
  id: string;
  atMs: number;
  /** The key that did it, or one of the authors that have none. */
  by: ApiKeyId;
  /** The tenant that it concerns; null: it is the operators' matter. */
  tenant: TenantId | null;
  object: Readonly<{ kind: ChangedObject; id: string }>;
  action: ChangeAction;
  /** Of a routing policy. Of a purge: the last sequence that was gone before, and the last that is gone now. Null: none. */
  fromVersion: number | null;
  toVersion: number | null;
  fields: readonly FieldChange[];
}>;

/** What a change is called: the special name if the fields say one, else what became of the object. */
export function actionOf(
  fields: readonly FieldChange[],
  object: Readonly<{ before: unknown; after: unknown }>,
): ChangeAction {
  if (object.before === undefined) return 'created';
  if (object.after === undefined) return 'removed';
  const [only, ...others] = fields;
  if (only === undefined || others.length > 0) return 'updated';
  if (only.field === 'revoked_at') return 'revoked';
  if (only.field === 'enabled') return only.values?.to === 1 ? 'enabled' : 'disabled';
  return 'updated';
}
