import type { Kysely, Transaction } from 'kysely';
import { SYSTEM_AUTHOR } from '../../domain/audit/admin-change';
import type { EntryKind } from '../../domain/audit/canonical-form';
import { continues, headAfter, type ChainHead, type HashText } from '../../domain/audit/hash-chain';
import type { AuditRetention, PurgeOrder } from '../../usecase/port/audit-retention';
import { anchorFields, anchorOf, UNCHAINED, type Purge } from './anchor';
import { chainEntries } from './chain-entries';
import type { AppendChange, ChainedChanges } from './chained-changes';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export type AuditRetentionDeps = Readonly<{
  db: Kysely<StoreSchema>;
  changes: ChainedChanges;
  hash: HashText;
}>;

type Range = Readonly<{ after: number; last: ChainHead }>;

/** Each purge is one transaction with its anchor, so one that was interrupted between two of them simply goes on. */
export class SqlAuditRetention implements AuditRetention {
  constructor(private readonly deps: AuditRetentionDeps) {}

  candidates(closedBeforeMs: number): Promise<readonly string[]> {
    return guarded(async () => {
      const chains = await this.deps.db
        .selectFrom('audit_chains')
        .select('writer')
        .where('opened_at', '<', closedBeforeMs)
        .where('last_sequence', '>', 0)
        .orderBy('opened_at')
        .execute();
      return [UNCHAINED, ...chains.map(({ writer }) => writer)];
    });
  }

  purge(writer: string, order: PurgeOrder): Promise<number> {
    return guarded(() =>
      this.deps.changes.transact(async (transaction, append) => {
        await lockPurges(transaction);
        return writer === UNCHAINED
          ? this.purgeUnchained(transaction, order, append)
          : this.purgeChain(transaction, { writer, order, append });
      }),
    );
  }

  private async purgeChain(
    transaction: Transaction<StoreSchema>,
    { writer, order, append }: Readonly<{ writer: string; order: PurgeOrder; append: AppendChange }>,
  ): Promise<number> {
    const range = await purgeable(transaction, { writer, hash: this.deps.hash, order });
    if (range === null) return 0;
    const within = { writer, after: range.after, upTo: range.last.sequence };
    const interactions = await deleteInteractions(transaction, within);
    const changes = await deleteChanges(transaction, within);
    await appendAnchor(transaction, append, {
      last: range.last,
      records: interactions + changes,
      rule: order.rule,
    });
    return range.last.sequence - range.after;
  }

  private async purgeUnchained(
    transaction: Transaction<StoreSchema>,
    { closedBeforeMs, limit, rule }: PurgeOrder,
    append: AppendChange,
  ): Promise<number> {
    const deleted = await transaction
      .deleteFrom('interactions')
      .where('request_id', 'in', (query) =>
        query
          .selectFrom('interactions')
          .select('request_id')
          .where('writer', 'is', null)
          .where('closed_at', 'is not', null)
          .where('closed_at', '<', closedBeforeMs)
          .orderBy('closed_at')
          .limit(limit),
      )
      .executeTakeFirstOrThrow();
    const records = Number(deleted.numDeletedRows);
    if (records === 0) return 0;
    const earlier = await anchorOf(transaction, UNCHAINED);
    const last = { writer: UNCHAINED, sequence: (earlier?.head.sequence ?? 0) + records, hash: '' };
    await appendAnchor(transaction, append, { last, records, rule });
    return records;
  }
}

async function appendAnchor(
  transaction: Transaction<StoreSchema>,
  append: AppendChange,
  purge: Purge,
): Promise<void> {
  const { writer, sequence } = purge.last;
  const earlier = await anchorOf(transaction, writer);
  await append({
    by: SYSTEM_AUTHOR,
    tenant: null,
    object: { kind: 'audit_chain', id: writer },
    action: 'purged',
    fromVersion: earlier?.head.sequence ?? 0,
    toVersion: sequence,
    fields: anchorFields(earlier, purge),
  });
}

/** One after the other, whichever process purges, or both would count what one has deleted. Writers of configuration wait too. */
async function lockPurges(transaction: Transaction<StoreSchema>): Promise<void> {
  await transaction
    .updateTable('configuration_sequence')
    .set((update) => ({ last: update.ref('last') }))
    .execute();
}

/** The entries at the start of a chain that are old enough; null: its first one isn't, or it has none. */
async function purgeable(
  transaction: Transaction<StoreSchema>,
  { writer, hash, order }: Readonly<{ writer: string; hash: HashText; order: PurgeOrder }>,
): Promise<Range | null> {
  const start = await startOf(transaction, writer);
  if (start === null) return null;
  const range = { writer, afterSequence: start.sequence, limit: order.limit };
  let last = start;
  for (const entry of await chainEntries(transaction, range)) {
    const closedAt = entry.record.row[CLOSED_AT[entry.kind]];
    // A record that was tampered with is evidence, and its time may be what was changed: it and all behind it stay.
    if (!continues(last, entry, hash) || typeof closedAt !== 'number') break;
    if (closedAt >= order.closedBeforeMs) break;
    last = headAfter(last, entry);
  }
  return last === start ? null : { after: start.sequence, last };
}

const CLOSED_AT: Readonly<Record<EntryKind, string>> = { interaction: 'closed_at', change: 'at' };

/** Where the chain begins now. */
async function startOf(transaction: Transaction<StoreSchema>, writer: string): Promise<ChainHead | null> {
  const anchor = await anchorOf(transaction, writer);
  if (anchor !== null) return anchor.head;
  const row = await transaction
    .selectFrom('audit_chains')
    .select('genesis_hash')
    .where('writer', '=', writer)
    .executeTakeFirst();
  return row === undefined ? null : { writer, sequence: 0, hash: row.genesis_hash };
}

type Within = Readonly<{ writer: string; after: number; upTo: number }>;

/** Their attempts go with them. */
async function deleteInteractions(
  transaction: Transaction<StoreSchema>,
  { writer, after, upTo }: Within,
): Promise<number> {
  const deleted = await transaction
    .deleteFrom('interactions')
    .where('writer', '=', writer)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}

/** All but the anchors: without them no chain would verify. */
async function deleteChanges(
  transaction: Transaction<StoreSchema>,
  { writer, after, upTo }: Within,
): Promise<number> {
  const deleted = await transaction
    .deleteFrom('audit_changes')
    .where('writer', '=', writer)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .where('object_kind', '!=', 'audit_chain')
    .executeTakeFirstOrThrow();
  return Number(deleted.numDeletedRows);
}
