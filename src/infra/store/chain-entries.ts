import type { Kysely } from 'kysely';
import type { ChainEntry } from '../../domain/audit/hash-chain';
import { attemptsByRequest } from './attempts-by-request';
import type { StoreSchema } from './schema';
import { changeEntryOf, interactionEntryOf } from './stored-record';

export type EntryRange = Readonly<{ writer: string; afterSequence: number; limit: number }>;

/** The next entries of a chain, of either kind, in order. */
export async function chainEntries(
  db: Kysely<StoreSchema>,
  range: EntryRange,
): Promise<readonly ChainEntry[]> {
  const entries = [...(await interactions(db, range)), ...(await changes(db, range))];
  return entries.sort((a, b) => a.sequence - b.sequence).slice(0, range.limit);
}

async function interactions(
  db: Kysely<StoreSchema>,
  { writer, afterSequence, limit }: EntryRange,
): Promise<readonly ChainEntry[]> {
  const rows = await db
    .selectFrom('interactions')
    .selectAll()
    .where('writer', '=', writer)
    .where('sequence', '>', afterSequence)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  const attempts = await attemptsByRequest(
    db,
    rows.map((row) => row.request_id),
  );
  return rows.map((row) => interactionEntryOf(row, attempts.get(row.request_id) ?? []));
}

async function changes(
  db: Kysely<StoreSchema>,
  { writer, afterSequence, limit }: EntryRange,
): Promise<readonly ChainEntry[]> {
  const rows = await db
    .selectFrom('audit_changes')
    .selectAll()
    .where('writer', '=', writer)
    .where('sequence', '>', afterSequence)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(changeEntryOf);
}
