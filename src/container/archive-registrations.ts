import type { DependencyContainer } from 'tsyringe';
import { DerivedArchiveVault } from '../infra/runtime/derived-archive-vault';
import { SqlArchiveStore } from '../infra/store/archive-store';
import { ChainedChanges } from '../infra/store/chained-changes';
import { ConfigurationWriter } from '../infra/store/configuration-writer';
import { requestConnection } from '../infra/store/store-database';
import { MeteredArchiveReport } from '../infra/telemetry/metered-archive-report';
import { Metrics } from '../infra/telemetry/metrics';
import { ArchiveInteractions } from '../usecase/archive/archive-interactions';
import { PurgeArchive } from '../usecase/archive/purge-archive';
import { ReadArchive } from '../usecase/archive/read-archive';
import { SwitchArchive } from '../usecase/archive/switch-archive';
import { singleton } from './singleton';
import type { Closers } from './gateway';
import { startWorker } from './start-worker';
import { TOKEN } from './token';

/** Expired entries are shown to nobody; a minute later at most they are gone from the store too. */
const PURGE_INTERVAL_MS = 60_000;

/** The archive of prompts and answers, which is off for every tenant that hasn't switched it on. */
export function registerArchive(container: DependencyContainer): void {
  singleton(
    container,
    TOKEN.archive,
    (c) =>
      new SqlArchiveStore({
        db: requestConnection(c.resolve(TOKEN.database)),
        changes: c.resolve(ChainedChanges),
        writer: c.resolve(ConfigurationWriter),
      }),
  );
  singleton(container, DerivedArchiveVault, (c) => new DerivedArchiveVault(c.resolve(TOKEN.secretKey)));
  singleton(
    container,
    MeteredArchiveReport,
    (c) => new MeteredArchiveReport(c.resolve(Metrics).registry, c.resolve(TOKEN.logger)),
  );
  singleton(container, ArchiveInteractions, (c) => new ArchiveInteractions({ ...partsOf(c), ...timeOf(c) }));
  singleton(
    container,
    PurgeArchive,
    (c) => new PurgeArchive({ store: c.resolve(TOKEN.archive), ...timeOf(c) }),
  );
}

/** What the admin API can do with archives. */
export function archiveUseCases(c: DependencyContainer) {
  const clock = c.resolve(TOKEN.clock);
  return {
    switchArchive: new SwitchArchive({ store: c.resolve(TOKEN.archive), clock }),
    readArchive: new ReadArchive({ ...partsOf(c), configuration: c.resolve(TOKEN.configuration), clock }),
  };
}

export function startArchive(container: DependencyContainer, closers: Closers): void {
  const archive = container.resolve(ArchiveInteractions);
  const purge = container.resolve(PurgeArchive);
  startWorker(container, closers, {
    task: () => purge.execute(),
    intervalMs: PURGE_INTERVAL_MS,
    failed: 'archive not purged; it goes on with the next run',
  });
  closers.unshift(() => archive.idle());
}

function partsOf(c: DependencyContainer) {
  return {
    store: c.resolve(TOKEN.archive),
    vault: c.resolve(DerivedArchiveVault),
    report: c.resolve(MeteredArchiveReport),
  };
}

function timeOf(c: DependencyContainer) {
  return {
    clock: c.resolve(TOKEN.clock),
    sleeper: c.resolve(TOKEN.sleeper),
    shutdown: c.resolve(TOKEN.shutdown),
  };
}
