import type { Transaction } from 'kysely';
import type { ChainedChanges } from './chained-changes';
import { withAudit } from './configuration-audit';
import type { ConfigurationConcept, StoreSchema } from './schema';
import { guarded } from './store-failure';

/** What keeps the configuration in memory, as far as a writer needs it. */
export interface ConfigurationFollower {
  /** Resolves when everything that was committed before the call is visible. */
  refresh(): Promise<void>;
}

export type ConfigurationChange = Readonly<{ concept: ConfigurationConcept; id: string }>;

/** Tells the processes that listen, when the transaction commits. Those that don't, poll. */
export type Announce = (transaction: Transaction<StoreSchema>) => Promise<void>;

export type ConfigurationWriterDeps = Readonly<{
  changes: ChainedChanges;
  announce: Announce;
  follower: ConfigurationFollower;
}>;

/**
 * Writes configuration: each write is one transaction with the row that tells every process what changed, and with the
 * chained entries that tell an auditor who changed it.
 */
export class ConfigurationWriter {
  constructor(private readonly deps: ConfigurationWriterDeps) {}

  /** Does the work and announces the change under the `sequence` that the work is given; visible here when it resolves. */
  write<T>(
    change: ConfigurationChange,
    work: (transaction: Transaction<StoreSchema>, sequence: number) => Promise<T>,
  ): Promise<T> {
    const { changes, announce, follower } = this.deps;
    return guarded(async () => {
      const result = await changes.transact(async (transaction, append) => {
        const sequence = await nextSequence(transaction);
        const outcome = await withAudit(transaction, change, {
          work: () => work(transaction, sequence),
          append,
        });
        await transaction
          .insertInto('configuration_changes')
          .values({ sequence, ...change })
          .execute();
        await announce(transaction);
        return outcome;
      });
      await follower.refresh();
      return result;
    });
  }
}

/** Goes first: its row lock makes writers of all processes follow each other. */
async function nextSequence(transaction: Transaction<StoreSchema>): Promise<number> {
  const row = await transaction
    .insertInto('configuration_sequence')
    .values({ id: 1, last: 1 })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((update) => ({ last: update('configuration_sequence.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return row.last;
}
