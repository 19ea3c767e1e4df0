import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from '../redis/redis-connection';

/** The library only counts: no number of points is too many for it. */
const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 60 } as const;

/** Counters of this process. A counter is forgotten when its minute is over. */
export function inMemoryLimiter(): RateLimiterMemory {
  return new RateLimiterMemory({ ...COUNTING, keyPrefix: '' });
}

/** Counters that all replicas share; while Redis is away, each counts for itself, beginning with nothing. */
export function redisLimiter(redis: Pick<RedisConnection, 'commands' | 'name'>): RateLimiterRedis {
  return new RateLimiterRedis({
    ...COUNTING,
    storeClient: redis.commands,
    keyPrefix: redis.name('rpm'),
    rejectIfRedisNotReady: true,
    insuranceLimiter: inMemoryLimiter(),
  });
}
