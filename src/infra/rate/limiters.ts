import type { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from '../redis/redis-connection';

/** The library only counts: no number of points is too many for it. */
const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 60 } as const;

/** With the first request that is limited: most gateways never need it, and every start would wait for it (ADR 22). */
const library = () => import('rate-limiter-flexible');

/** Counters of this process. A counter is forgotten when its minute is over. */
export async function inMemoryLimiter(): Promise<RateLimiterMemory> {
  const { RateLimiterMemory: Memory } = await library();
  return new Memory({ ...COUNTING, keyPrefix: '' });
}

/** Counters that all replicas share; while Redis is away, each counts for itself, beginning with nothing. */
export async function redisLimiter(
  redis: Pick<RedisConnection, 'commands' | 'name'>,
): Promise<RateLimiterRedis> {
  const { RateLimiterRedis: Shared } = await library();
  return new Shared({
    ...COUNTING,
    storeClient: redis.commands,
    keyPrefix: redis.name('rpm'),
    rejectIfRedisNotReady: true,
    insuranceLimiter: await inMemoryLimiter(),
  });
}
