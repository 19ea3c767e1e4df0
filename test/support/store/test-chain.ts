import type { Kysely } from 'kysely';
import { sha256 } from '../../../src/infra/runtime/sha256';
import { UlidGenerator } from '../../../src/infra/runtime/ulid-generator';
import { ChainWriter } from '../../../src/infra/store/chain-writer';
import { ChainedChanges } from '../../../src/infra/store/chained-changes';
import {
  ConfigurationWriter,
  type Announce,
  type ConfigurationFollower,
} from '../../../src/infra/store/configuration-writer';
import type { StoreSchema } from '../../../src/infra/store/schema';
import type { ChangeAuthor } from '../../../src/usecase/port/change-author';

const ids = new UlidGenerator();

/** The chain of a process that has just started. */
export function testChain(): ChainWriter {
  return new ChainWriter({ hash: sha256, newWriter: () => ids.next('wri'), nowMs: Date.now });
}

export function chainedChanges(
  db: Kysely<StoreSchema>,
  chain: ChainWriter,
  author: Pick<ChangeAuthor, 'current'>,
): ChainedChanges {
  return new ChainedChanges({
    db,
    chain,
    newId: () => ids.next('chg'),
    nowMs: Date.now,
    author: () => author.current(),
  });
}

export function configurationWriter(
  changes: ChainedChanges,
  follower: ConfigurationFollower,
  announce: Announce = () => Promise.resolve(),
): ConfigurationWriter {
  return new ConfigurationWriter({ changes, announce, follower });
}

/** A writer with a chain of its own, for a test in which nobody asks who wrote. */
export function configurationWriterOn(
  db: Kysely<StoreSchema>,
  follower: ConfigurationFollower,
): ConfigurationWriter {
  return configurationWriter(chainedChanges(db, testChain(), { current: () => 'system' }), follower);
}
