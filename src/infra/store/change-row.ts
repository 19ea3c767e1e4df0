import type { AdminChange, ChangeAction, ChangedObject } from '../../domain/audit/admin-change';
import type { ChainPlace } from './audit-chain-row';
import { fromJson, toJson } from './json-column';

/** A change of the configuration, written once and never changed. */
export type ChangeContentRow = Readonly<{
  id: string;
  at: number;
  changed_by: string;
  tenant: string | null;
  object_kind: ChangedObject;
  object_id: string;
  action: ChangeAction;
  from_version: number | null;
  to_version: number | null;
  fields: string;
}>;

export type ChangeRow = ChangeContentRow & ChainPlace;

export function changeRowOf(change: AdminChange): ChangeContentRow {
  return {
    id: change.id,
    at: change.atMs,
    changed_by: change.by,
    tenant: change.tenant,
    object_kind: change.object.kind,
    object_id: change.object.id,
    action: change.action,
    from_version: change.fromVersion,
    to_version: change.toVersion,
    fields: toJson(change.fields),
  };
}

export function changeOf(row: ChangeContentRow): AdminChange {
  return {
    id: row.id,
    atMs: row.at,
    by: row.changed_by,
    tenant: row.tenant,
    object: { kind: row.object_kind, id: row.object_id },
    action: row.action,
    fromVersion: row.from_version,
    toVersion: row.to_version,
    fields: fromJson<AdminChange['fields']>(row.fields),
  };
}
