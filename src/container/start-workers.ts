import type { DependencyContainer } from 'tsyringe';
import { SpoolReplayer } from '../infra/store/spool/spool-replayer';
import { PurgeAudit } from '../usecase/audit/purge-audit';
import { ProbeChannels } from '../usecase/health/probe-channels';
import { PurgeIdempotencyKeys } from '../usecase/interaction/purge-idempotency-keys';
import { ReconcileInteractions } from '../usecase/interaction/reconcile-interactions';
import { StoreUnavailable } from '../usecase/port/store-unavailable';
import { startArchive } from './archive-registrations';
import type { Closers } from './gateway';
import { startWorker } from './start-worker';
import { startStatus } from './status-registrations';
import { TOKEN } from './token';

const RECONCILE_INTERVAL_MS = 60_000;
/** How often the spool is looked for records that the store can take again. */
const REPLAY_INTERVAL_MS = 1_000;
/** Retention counts whole days; an hour bounds how long after midnight, or after a start, it begins. */
const PURGE_INTERVAL_MS = 3_600_000;
/** How much longer than a day the answers of idempotency keys are kept at most. */
const FORGET_INTERVAL_MS = 600_000;
/** How often probes are looked for that are due; the channels' own schedules count seconds. */
const PROBE_TICK_MS = 1_000;

/** Starts what a gateway does beside its requests. */
export function startWorkers(container: DependencyContainer, closers: Closers): void {
  startInteractionWorkers(container, closers);
  startRetention(container, closers);
  startArchive(container, closers);
  startStatus(container, closers);
  startProbes(container, closers);
}

function startInteractionWorkers(container: DependencyContainer, closers: Closers): void {
  const logger = container.resolve(TOKEN.logger);
  const reconcile = container.resolve(ReconcileInteractions);
  const spooled = container.resolve(SpoolReplayer);
  const purge = container.resolve(PurgeIdempotencyKeys);
  startWorker(container, closers, {
    task: () => reconcile.execute(),
    intervalMs: RECONCILE_INTERVAL_MS,
    failed: 'reconciliation failed',
  });
  startWorker(container, closers, {
    task: () => spooled.writeAll(),
    intervalMs: REPLAY_INTERVAL_MS,
    // That the store is away was said when the spool began to fill.
    failed: (error) => {
      if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'spool not written');
    },
  });
  startWorker(container, closers, {
    task: () => purge.execute(),
    intervalMs: FORGET_INTERVAL_MS,
    failed: 'idempotency keys not purged; the next run goes on',
  });
}

function startRetention(container: DependencyContainer, closers: Closers): void {
  const { auditRetentionDays } = container.resolve(TOKEN.config);
  if (auditRetentionDays === null) return;
  const purge = container.resolve(PurgeAudit);
  startWorker(container, closers, {
    task: () => purge.execute(auditRetentionDays),
    intervalMs: PURGE_INTERVAL_MS,
    failed: 'audit retention failed; it goes on with the next run',
  });
}

function startProbes(container: DependencyContainer, closers: Closers): void {
  const probes = container.resolve(ProbeChannels);
  // Waits for those under way when no more can begin.
  closers.unshift(() => probes.idle());
  startWorker(container, closers, {
    task: async () => probes.tick(),
    intervalMs: PROBE_TICK_MS,
    failed: 'channels not probed',
  });
}
