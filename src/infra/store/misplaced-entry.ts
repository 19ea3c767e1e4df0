import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ChainEntry } from '../../domain/audit/hash-chain';
import type { Strays } from '../../usecase/port/audit-chains';
import { anchorOf } from './anchor';
import { attemptsByRequest } from './attempts-by-request';
import type { StoreSchema } from './schema';
import { changeEntryOf, interactionEntryOf } from './stored-record';

type Misplaced = Pick<Strays, 'misplaced' | 'misplacedWriter'>;

/** A walk starts at a chain's opening or anchor, so it sees neither unknown chains nor what stands before that start. */
export async function misplacedEntry(db: Kysely<StoreSchema>): Promise<Misplaced> {
  for (const table of ['interactions', 'audit_changes'] as const) {
    let writer = await writerAfter(db, table, '');
    while (writer !== null) {
      await nextTurn();
      const start = (await isOpened(db, writer)) ? ((await anchorOf(db, writer))?.head.sequence ?? 0) : null;
      const misplaced = await FIRST_BEFORE[table](db, writer, start);
      if (misplaced !== undefined) return { misplaced, misplacedWriter: writer };
      writer = await writerAfter(db, table, writer);
    }
  }
  return { misplaced: null, misplacedWriter: null };
}

/** Asked for after its entry was seen: a chain that was opened meanwhile is no unknown one. */
async function isOpened(db: Kysely<StoreSchema>, writer: string): Promise<boolean> {
  const chain = await db
    .selectFrom('audit_chains')
    .select('writer')
    .where('writer', '=', writer)
    .executeTakeFirst();
  return chain !== undefined;
}

type Table = 'interactions' | 'audit_changes';

/** One step along the index, however many entries each writer has. */
async function writerAfter(db: Kysely<StoreSchema>, table: Table, writer: string): Promise<string | null> {
  const row = await db
    .selectFrom(table)
    .select('writer')
    .where('writer', '>', writer)
    .orderBy('writer')
    .limit(1)
    .executeTakeFirst();
  return row?.writer ?? null;
}

type FirstBefore = (
  db: Kysely<StoreSchema>,
  writer: string,
  start: number | null,
) => Promise<ChainEntry | undefined>;

/** The first entry at or before the start; without a start, the first entry of all. */
const FIRST_BEFORE: Readonly<Record<Table, FirstBefore>> = {
  interactions: async (db, writer, start) => {
    const ofWriter = db.selectFrom('interactions').selectAll().where('writer', '=', writer);
    const query =
      start === null
        ? ofWriter
        : ofWriter.where((where) =>
            where.or([where('sequence', '<=', start), where('sequence', 'is', null)]),
          );
    const row = await query.orderBy('sequence').limit(1).executeTakeFirst();
    if (row === undefined) return undefined;
    const attempts = await attemptsByRequest(db, [row.request_id]);
    return interactionEntryOf(row, attempts.get(row.request_id) ?? []);
  },
  audit_changes: async (db, writer, start) => {
    const ofWriter = db.selectFrom('audit_changes').selectAll().where('writer', '=', writer);
    // Anchors outlive the part of the chain in which they stood.
    const query =
      start === null
        ? ofWriter
        : ofWriter
            .where('sequence', '<=', start)
            .where((where) =>
              where.or([where('sequence', '<', 1), where('object_kind', '!=', 'audit_chain')]),
            );
    const row = await query.orderBy('sequence').limit(1).executeTakeFirst();
    return row === undefined ? undefined : changeEntryOf(row);
  },
};
