import type { DependencyContainer } from 'tsyringe';
import { SqlProviderMinutes } from '../infra/store/provider-minutes';
import { requestConnection } from '../infra/store/store-database';
import { ReadStatus } from '../usecase/health/read-status';
import { TallyAttempts } from '../usecase/health/tally-attempts';
import { singleton } from './singleton';
import type { Closers } from './gateway';
import { startWorker } from './start-worker';
import { TOKEN } from './token';

/** How far the status lags behind a process, and what a crash takes of it at most. */
const FLUSH_INTERVAL_MS = 10_000;

/** What providers make of our calls, as all processes see it together (`/status`). */
export function registerStatus(container: DependencyContainer): void {
  singleton(
    container,
    SqlProviderMinutes,
    (c) => new SqlProviderMinutes(requestConnection(c.resolve(TOKEN.database))),
  );
  singleton(
    container,
    TallyAttempts,
    (c) => new TallyAttempts({ minutes: c.resolve(SqlProviderMinutes), clock: c.resolve(TOKEN.clock) }),
  );
  singleton(
    container,
    ReadStatus,
    (c) =>
      new ReadStatus({
        configuration: c.resolve(TOKEN.configuration),
        minutes: c.resolve(SqlProviderMinutes),
        clock: c.resolve(TOKEN.clock),
      }),
  );
}

export function startStatus(container: DependencyContainer, closers: Closers): void {
  const tallies = container.resolve(TallyAttempts);
  const logger = container.resolve(TOKEN.logger);
  const failed = (error: unknown): void =>
    logger.warn({ err: error }, 'what providers made of calls was not stored; the next run does it');
  closers.unshift(() => tallies.flush().catch(failed));
  startWorker(container, closers, { task: () => tallies.flush(), intervalMs: FLUSH_INTERVAL_MS, failed });
}
