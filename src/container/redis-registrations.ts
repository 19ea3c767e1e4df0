import type { DependencyContainer } from 'tsyringe';
import type { RedisConnection } from '../infra/redis/redis-connection';
import { RedisHealthExchange } from '../infra/redis/redis-health-exchange';
import { SharedCanaryTallies } from '../infra/redis/shared-canary-tallies';
import { SharedRouteHealth } from '../infra/redis/shared-route-health';
import { SharingLog } from '../infra/redis/sharing-log';
import { Metrics } from '../infra/telemetry/metrics';
import { RedisMetrics } from '../infra/telemetry/redis-metrics';
import { singleton } from './singleton';
import type { Closers } from './gateway';
import { startWorker } from './start-worker';
import { TOKEN } from './token';

/**
 * How often replicas read again what they share: bounds how long a lost message is missed, and thrice in the time after which
 * a trial of which nothing is heard is taken for lost.
 */
const SYNC_INTERVAL_MS = 5_000;

/** What replicas share. Without `openRedis` there is none: a command and a drill share nothing. */
export function registerRedis(container: DependencyContainer): void {
  // Not as a value: null is none to the container.
  container.register(TOKEN.redis, { useFactory: () => null });
  container.register(TOKEN.sharing, { useValue: { state: () => 'off' } });
  singleton(container, RedisMetrics, (c) => {
    const redis = c.resolve(TOKEN.redis);
    return new RedisMetrics(c.resolve(Metrics).registry, () => redis?.isUp ?? false);
  });
}

/** The Redis that the settings name, after one try, which is bounded: the gateway starts without it as it goes on without it. */
export async function openRedis(container: DependencyContainer, closers: Closers): Promise<void> {
  const { redis: address, redisPrefix: prefix } = container.resolve(TOKEN.config);
  if (address === null) return;
  // Only now: a gateway without Redis needn't load its client (ADR 22).
  const { RedisConnection } = await import('../infra/redis/redis-connection.js');
  const redis = new RedisConnection({ address, prefix, logger: container.resolve(TOKEN.logger) });
  closers.unshift(() => redis.close());
  container.register(TOKEN.redis, { useValue: redis });
  container.register(TOKEN.sharing, { useValue: { state: () => (redis.isUp ? 'shared' : 'alone') } });
  await redis.open();
  const log = new SharingLog(container.resolve(TOKEN.logger), container.resolve(RedisMetrics).errors);
  await shareHealth(container, closers, { redis, log });
  const tallies = new SharedCanaryTallies({ own: container.resolve(TOKEN.canaryTallies), redis, log });
  container.register(TOKEN.canaryTallies, { useValue: tallies });
}

/** Puts the shared health in front of what this process knows; the start goes on when it knows what the others know. */
async function shareHealth(
  container: DependencyContainer,
  closers: Closers,
  { redis, log }: Readonly<{ redis: RedisConnection; log: SharingLog }>,
): Promise<void> {
  const configuration = container.resolve(TOKEN.configuration);
  const shared = new SharedRouteHealth({
    own: container.resolve(TOKEN.health),
    exchange: new RedisHealthExchange(redis),
    clock: container.resolve(TOKEN.clock),
    breaker: container.resolve(TOKEN.breaker),
    knows: (route) => configuration.catalog().offerings.has(route),
    log,
  });
  container.register(TOKEN.health, { useValue: shared });
  container.register(TOKEN.trials, { useValue: shared });
  await shared.sync();
  redis.onUp(() => void shared.sync());
  closers.unshift(() => shared.tell());
  startWorker(container, closers, {
    task: () => shared.sync(),
    intervalMs: SYNC_INTERVAL_MS,
    failed: 'health of routes not shared',
  });
}
