import type { DependencyContainer } from 'tsyringe';
import { Metrics } from '../infra/telemetry/metrics';
import { RedisMetrics } from '../infra/telemetry/redis-metrics';
import { singleton } from './singleton';
import { TOKEN } from './token';

/** What replicas share. Without `openRedis` there is none: a command and a drill share nothing. */
export function registerRedis(container: DependencyContainer): void {
  container.register(TOKEN.redis, { useValue: null });
  singleton(container, RedisMetrics, (c) => {
    const redis = c.resolve(TOKEN.redis);
    return new RedisMetrics(c.resolve(Metrics).registry, () => redis?.isUp ?? false);
  });
}

/** The Redis that the settings name, after one try, which is bounded: the gateway starts without it as it goes on without it. */
export async function openRedis(
  container: DependencyContainer,
  closers: (() => Promise<unknown>)[],
): Promise<void> {
  const { redis: address, redisPrefix: prefix } = container.resolve(TOKEN.config);
  if (address === null) return;
  // Only now: a gateway without Redis needn't load its client (ADR 22).
  const { RedisConnection } = await import('../infra/redis/redis-connection.js');
  const redis = new RedisConnection({ address, prefix, logger: container.resolve(TOKEN.logger) });
  closers.unshift(() => redis.close());
  container.register(TOKEN.redis, { useValue: redis });
  container.resolve(RedisMetrics);
  await redis.open();
}
