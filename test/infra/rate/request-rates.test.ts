import { FixedMinuteRates } from '../../../src/infra/rate/fixed-minute-rates';
import { inMemoryLimiter, redisLimiter } from '../../../src/infra/rate/limiters';
import type { RedisConnection } from '../../../src/infra/redis/redis-connection';
import { requestRatesContract, type RatesUnderTest } from '../../contract/request-rates-contract';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryRequestRates } from '../../support/in-memory-request-rates';
import { connect, describeWithRedis, describeWithRedisServer, forget, ownPrefix } from '../../support/redis';
import { RedisServer } from '../../support/redis-server';

describe('request rates of the tests', () => {
  requestRatesContract(async () => {
    const clock = new FakeClock();
    const pass = (ms: number): Promise<void> => clock.advance(ms);
    return { rates: new InMemoryRequestRates(clock), pass, close: async () => undefined };
  });
});

describe('request rates in memory', () => {
  requestRatesContract(async () => {
    jest.useFakeTimers();
    const pass = async (ms: number): Promise<void> => void jest.advanceTimersByTime(ms);
    const close = async (): Promise<void> => void jest.useRealTimers();
    return { rates: new FixedMinuteRates(inMemoryLimiter), pass, close };
  });

  it('count on where a timer is late', async () => {
    jest.useFakeTimers({ now: 1_000 });
    const rates = new FixedMinuteRates(inMemoryLimiter);
    const counter = { scope: 'key', id: 'k', limit: 1 } as const;
    await rates.take(counter);

    jest.setSystemTime(61_001);

    expect(await rates.look([counter])).toEqual([{ remaining: 1, resetMs: 0 }]);
    expect(await rates.take(counter)).toMatchObject({ admitted: true, remaining: 0 });
    jest.useRealTimers();
  });
});

describeWithRedis('request rates in Redis', () => {
  requestRatesContract(openRedisRates);

  it('are shared by every process', async () => {
    const prefix = ownPrefix();
    const connections = [await connect(undefined, prefix), await connect(undefined, prefix)];
    const [one, other] = connections.map((redis) => new FixedMinuteRates(() => redisLimiter(redis)));
    const counter = { scope: 'group', id: 'acme/premium', limit: 1 } as const;

    const first = await one?.take(counter);
    const second = await other?.take(counter);

    expect([first?.admitted, second?.admitted]).toEqual([true, false]);
    for (const redis of connections) {
      await forget(redis);
      await redis.close();
    }
  });
});

/** Redis keeps its own time, so the keys are made older instead. */
async function openRedisRates(): Promise<RatesUnderTest> {
  const redis = await connect();
  const { commands } = redis;
  return {
    rates: new FixedMinuteRates(() => redisLimiter(redis)),
    pass: async (ms) => {
      for (const key of await commands.keys(redis.name('*'))) {
        const leftMs = await commands.pttl(key);
        if (leftMs <= ms) await commands.del(key);
        else await commands.pexpire(key, leftMs - ms);
      }
    },
    close: async () => {
      await forget(redis);
      await redis.close();
    },
  };
}

describeWithRedisServer('request rates while Redis is away', () => {
  const counter = { scope: 'key', id: 'key_1', limit: 2 } as const;
  const admitted = async (rates: FixedMinuteRates): Promise<boolean> => (await rates.take(counter)).admitted;
  let server: RedisServer;
  let redis: RedisConnection;
  let rates: FixedMinuteRates;

  beforeEach(async () => {
    server = await RedisServer.start();
    redis = await connect(server.url);
    rates = new FixedMinuteRates(() => redisLimiter(redis));
  });
  afterEach(async () => {
    await redis.close();
    server.thaw();
    await server.kill();
  });

  it('are counted here, beginning with nothing, and again there when it is back', async () => {
    const shared = [await admitted(rates), await admitted(rates), await admitted(rates)];
    await server.kill();
    const alone = [await admitted(rates), await admitted(rates), await admitted(rates)];
    await server.start();
    await new Promise<void>((resolve) => (redis.isUp ? resolve() : redis.onUp(resolve)));
    const again = await rates.look([counter]);

    expect([shared, alone]).toEqual([
      [true, true, false],
      [true, true, false],
    ]);
    expect(again).toEqual([{ remaining: 2, resetMs: 0 }]);
  });

  it('are counted here while it says nothing', async () => {
    await admitted(rates);
    server.freeze();

    expect([await admitted(rates), await admitted(rates), await admitted(rates)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await rates.look([counter])).toMatchObject([{ remaining: 0 }]);
  });
});
