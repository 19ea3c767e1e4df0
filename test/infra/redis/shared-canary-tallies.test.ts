import type { CanaryTally } from '../../../src/domain/routing/canary';
import { InMemoryCanaryTallies } from '../../../src/infra/health/in-memory-canary-tallies';
import type { RedisConnection } from '../../../src/infra/redis/redis-connection';
import { SharedCanaryTallies } from '../../../src/infra/redis/shared-canary-tallies';
import { eventually } from '../../support/eventually';
import { connect, describeWithRedis, describeWithRedisServer, forget, ownPrefix } from '../../support/redis';
import { RedisServer } from '../../support/redis-server';

const CANARY = { tenant: 'acme', policy: 'default', version: 3 };

let connections: RedisConnection[] = [];
const failures: string[] = [];
beforeEach(() => {
  connections = [];
  failures.length = 0;
});

async function replica(prefix: string, url?: string): Promise<SharedCanaryTallies> {
  const redis = await connect(url, prefix);
  connections.push(redis);
  const log = { failed: (operation: string) => void failures.push(operation) };
  return new SharedCanaryTallies({ own: new InMemoryCanaryTallies(), redis, log });
}

/** Counts one after the other, and lets it be told. Returns the last tally. */
async function count(
  one: SharedCanaryTallies,
  outcomes: readonly ('served' | 'failed')[],
): Promise<CanaryTally> {
  let tally: CanaryTally = { requests: 0, failures: 0 };
  for (const outcome of outcomes) tally = one.add(CANARY, outcome);
  await new Promise((resolve) => setImmediate(resolve));
  return tally;
}

/** How many requests Redis has counted. */
async function stored(): Promise<number> {
  const connection = connections[0]!;
  const [key] = await connection.commands.keys(connection.name('canary:*'));
  return key === undefined ? 0 : Number(await connection.commands.hget(key, 'requests'));
}

describeWithRedis('canary tallies that replicas share', () => {
  afterEach(async () => {
    // What the last line of a test counted is told first, or it would be written after the cleaning.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(connections.map(({ commands }) => commands.ping()));
    await forget(connections[0]!);
    await Promise.all(connections.map((connection) => connection.close()));
  });

  it('are the sum over all replicas, once they have heard of it', async () => {
    const prefix = ownPrefix();
    const [first, second] = [await replica(prefix), await replica(prefix)];

    expect(await count(first, ['failed', 'failed', 'served'])).toEqual({ requests: 3, failures: 2 });
    await eventually(async () => expect(await stored()).toBe(3));
    // The answer to what it tells is the sum of all.
    expect(await count(second, ['served'])).toEqual({ requests: 1, failures: 0 });
    await eventually(() => {
      const seen = second.add(CANARY, 'served');
      expect(seen.requests - seen.failures).toBeGreaterThan(0);
      expect(seen.failures).toBe(2);
    });
  });

  it('of another version, policy or tenant are others', async () => {
    const prefix = ownPrefix();
    const [first, second] = [await replica(prefix), await replica(prefix)];
    await count(first, ['failed', 'failed']);
    await eventually(async () => expect(await stored()).toBe(2));

    const others = [
      { ...CANARY, version: 4 },
      { ...CANARY, policy: 'other' },
      { ...CANARY, tenant: 'globex' },
    ];
    for (const other of others) second.add(other, 'served');
    await eventually(async () =>
      expect(await connections[0]!.commands.keys(connections[0]!.name('canary:*'))).toHaveLength(4),
    );

    expect(others.map((other) => second.add(other, 'served'))).toEqual(
      others.map(() => ({ requests: 2, failures: 0 })),
    );
  });

  it('show Redis no name of a tenant, and nothing that stays', async () => {
    const one = await replica(ownPrefix());
    await count(one, ['served']);
    await eventually(async () => expect(await stored()).toBe(1));
    const [key = ''] = await connections[0]!.commands.keys(connections[0]!.name('canary:*'));

    expect(key).not.toMatch(/acme|default/);
    expect(await connections[0]!.commands.pttl(key)).toBeGreaterThan(0);
  });

  it('are those of this replica where Redis holds something else', async () => {
    const one = await replica(ownPrefix());
    await count(one, ['served']);
    await eventually(async () => expect(await stored()).toBe(1));
    const [key = ''] = await connections[0]!.commands.keys(connections[0]!.name('canary:*'));
    await connections[0]!.commands.set(key, 'mine');

    await count(one, ['failed']);
    await eventually(() => expect(failures).toEqual(['canary']));

    expect(one.add(CANARY, 'served')).toEqual({ requests: 3, failures: 1 });
  });
});

describeWithRedisServer('canary tallies while Redis comes and goes', () => {
  it('never fall below what this replica has counted', async () => {
    const server = await RedisServer.start();
    const prefix = ownPrefix();
    const one = await replica(prefix, server.url);
    await count(one, ['failed', 'failed', 'failed']);
    await eventually(async () => expect(await stored()).toBe(3));

    await server.kill();
    await eventually(() => expect(connections[0]!.isUp).toBe(false));
    expect(await count(one, ['failed'])).toEqual({ requests: 4, failures: 4 });
    await server.start();
    await eventually(() => expect(connections[0]!.isUp).toBe(true));
    expect(await count(one, ['served'])).toEqual({ requests: 5, failures: 4 });
    await eventually(async () => expect(await stored()).toBe(2));

    expect(one.add(CANARY, 'served')).toEqual({ requests: 6, failures: 4 });
    await connections[0]!.close();
    await server.kill();
  });
});
