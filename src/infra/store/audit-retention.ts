import type { Kysely, Transaction } from 'kysely';
import { SYSTEM_AUTHOR } from '../../domain/audit/admin-change';
import type { ChainHead } from '../../domain/audit/hash-chain';
import type { AuditRetention, PurgeOrder } from '../../usecase/port/audit-retention';
import { anchorFields, anchorOf, UNCHAINED, type Purge } from './anchor';
import type { AppendChange, ChainedChanges } from './chained-changes';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export type AuditRetentionDeps = Readonly<{
  db: Kysely<StoreSchema>;
  changes: ChainedChanges;
  newId: () => string;
  nowMs: () => number;
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
      this.deps.changes.transact((transaction, append) =>
        writer === UNCHAINED
          ? this.purgeUnchained(transaction, order, append)
          : this.purgeChain(transaction, { writer, order, append }),
      ),
    );
  }

  private async purgeChain(
    transaction: Transaction<StoreSchema>,
    { writer, order, append }: Readonly<{ writer: string; order: PurgeOrder; append: AppendChange }>,
  ): Promise<number> {
    const range = await purgeable(transaction, writer, order);
    if (range === null) return 0;
    const within = { writer, after: range.after, upTo: range.last.sequence };
    const interactions = await deleteInteractions(transaction, within);
    const changes = await deleteChanges(transaction, within);
    await this.anchor(transaction, append, {
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
    await this.anchor(transaction, append, { last, records, rule });
    return records;
  }

  private async anchor(
    transaction: Transaction<StoreSchema>,
    append: AppendChange,
    purge: Purge,
  ): Promise<void> {
    const { newId, nowMs } = this.deps;
    const { writer, sequence } = purge.last;
    const earlier = await anchorOf(transaction, writer);
    await append({
      id: newId(),
      atMs: nowMs(),
      by: SYSTEM_AUTHOR,
      tenant: null,
      object: { kind: 'audit_chain', id: writer },
      action: 'purged',
      fromVersion: earlier?.head.sequence ?? 0,
      toVersion: sequence,
      fields: anchorFields(earlier, purge),
    });
  }
}

/** The entries at the start of a chain that are old enough; null: its first one isn't, or it has none. */
async function purgeable(
  transaction: Transaction<StoreSchema>,
  writer: string,
  { closedBeforeMs, limit }: PurgeOrder,
): Promise<Range | null> {
  const after = (await anchorOf(transaction, writer))?.head.sequence ?? 0;
  const interactions = await transaction
    .selectFrom('interactions')
    .select(['sequence', 'hash', 'closed_at as at'])
    .where('writer', '=', writer)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  const changes = await transaction
    .selectFrom('audit_changes')
    .select(['sequence', 'hash', 'at'])
    .where('writer', '=', writer)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  const entries = [...interactions, ...changes].sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  let last: ChainHead | null = null;
  for (const { sequence, hash, at } of entries.slice(0, limit)) {
    const next: number = (last?.sequence ?? after) + 1;
    // A gap is what verification must still find: nothing behind it is deleted.
    if (sequence !== next || hash === null || at === null || at >= closedBeforeMs) break;
    last = { writer, sequence, hash };
  }
  return last === null ? null : { after, last };
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
