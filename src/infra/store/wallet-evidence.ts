import type { Kysely } from 'kysely';
import type { AdminChange } from '../../domain/audit/admin-change';
import type { TenantId } from '../../domain/kernel/ids';
import { fromJson } from './json-column';
import type { StoreSchema } from './schema';

/**
 * The reference (or else the movement) of money that came from outside in another way than a chained change says; null:
 * there is none. Retention deletes changes, so a credit needs one only if it is younger than the last purge.
 */
export async function unprovenCredit(db: Kysely<StoreSchema>, tenant: TenantId): Promise<string | null> {
  const purgedAt = await lastPurge(db);
  const missing = await creditsByChange(db, tenant);
  const entries = await db
    .selectFrom('wallet_entries')
    .select(['movement', 'reference', 'at', 'amount_micro_usd'])
    .where('tenant', '=', tenant)
    .where('account', '=', 'funding')
    .orderBy('at')
    .execute();
  for (const { movement, reference, at, amount_micro_usd: funding } of entries) {
    const said = missing.get(reference);
    const isProven = said === undefined ? at <= purgedAt : said === -funding;
    if (!isProven) return reference ?? movement;
    missing.delete(reference);
  }
  const [lost] = missing.keys();
  return lost ?? null;
}

/** Money that was spent by nothing that is on record; null: there is none. Retention deletes records, too. */
export async function unprovenSettlement(db: Kysely<StoreSchema>, tenant: TenantId): Promise<string | null> {
  const row = await db
    .selectFrom('wallet_entries as spent')
    .leftJoin('interactions as closed', (join) =>
      join
        .onRef('closed.request_id', '=', 'spent.request_id')
        .onRef('closed.tenant', '=', 'spent.tenant')
        .on('closed.closed_at', 'is not', null)
        .on('closed.reservation_micro_usd', 'is not', null)
        .on((on) => on('spent.movement', '=', on('closed.request_id', '||', '/settlement'))),
    )
    .select(['spent.movement', 'spent.request_id'])
    .where('spent.tenant', '=', tenant)
    .where('spent.account', '=', 'spent')
    .where('spent.at', '>', await lastPurge(db))
    .where('closed.request_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : (row.request_id ?? row.movement);
}

/** The amounts of all credits that are on record, by reference. */
async function creditsByChange(
  db: Kysely<StoreSchema>,
  tenant: TenantId,
): Promise<Map<string | null, unknown>> {
  const rows = await db
    .selectFrom('audit_changes')
    .select('fields')
    .where('tenant', '=', tenant)
    .where('object_kind', '=', 'wallet')
    .where('action', '=', 'credited')
    .execute();
  const credits = new Map<string | null, unknown>();
  for (const { fields } of rows) {
    const changed = fromJson<AdminChange['fields']>(fields);
    const valueOf = (name: string) => changed.find(({ field }) => field === name)?.values?.to;
    const reference = valueOf('reference');
    credits.set(typeof reference === 'string' ? reference : null, valueOf('amount_micro_usd'));
  }
  return credits;
}

/** 0: nothing was ever purged. */
async function lastPurge(db: Kysely<StoreSchema>): Promise<number> {
  const row = await db
    .selectFrom('audit_changes')
    .select((select) => select.fn.max<number | null>('at').as('at'))
    .where('object_kind', '=', 'audit_chain')
    .executeTakeFirst();
  return Number(row?.at ?? 0);
}
