import type { AdminChange } from '../../../../domain/audit/admin-change';
import type { JsonObject } from '../../../../domain/kernel/json';
import { rfc3339 } from '../instant';

export function presentChange(change: AdminChange): JsonObject {
  return {
    id: change.id,
    at: rfc3339(change.atMs),
    by: change.by,
    tenant: change.tenant,
    object: { kind: change.object.kind, id: change.object.id },
    action: change.action,
    from_version: change.fromVersion,
    to_version: change.toVersion,
    fields: change.fields.map(({ field, values }) =>
      values === null ? { field, withheld: true } : { field, from: values.from, to: values.to },
    ),
  };
}
