import type { Kysely } from 'kysely';
import type { AdminChange } from '../../domain/audit/admin-change';
import type { FieldChange } from '../../domain/audit/field-changes';
import type { ChainHead } from '../../domain/audit/hash-chain';
import type { Anchor } from '../../usecase/port/audit-chains';
import { fromJson } from './json-column';
import type { StoreSchema } from './schema';

/** In place of a writer: the records that were closed before there were chains. */
export const UNCHAINED = 'unchained';

export type Purge = Readonly<{
  /** The last entry that is deleted. */
  last: ChainHead;
  records: number;
  rule: string;
}>;

/** What a purge leaves in the chain of whoever purged: where the chain goes on, and how much is gone by what rule. */
export function anchorFields(earlier: Anchor | null, { last, records, rule }: Purge): readonly FieldChange[] {
  return [
    { field: 'hash', values: { from: earlier?.head.hash ?? null, to: last.hash } },
    { field: 'records', values: { from: earlier?.records ?? 0, to: (earlier?.records ?? 0) + records } },
    { field: 'rule', values: { from: null, to: rule } },
  ];
}

/** The end of what was deleted of a chain so far. */
export async function anchorOf(db: Kysely<StoreSchema>, writer: string): Promise<Anchor | null> {
  const row = await db
    .selectFrom('audit_changes')
    .select(['to_version', 'fields'])
    .where('object_kind', '=', 'audit_chain')
    .where('object_id', '=', writer)
    .orderBy('to_version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const fields = fromJson<AdminChange['fields']>(row.fields);
  const valueOf = (name: string): unknown => fields.find(({ field }) => field === name)?.values?.to;
  return {
    head: { writer, sequence: row.to_version ?? 0, hash: String(valueOf('hash')) },
    records: Number(valueOf('records')),
  };
}
