import type { ServingProcess } from '../support/gateway-process';
import { ProcessStage } from '../support/process-stage';
import { describeWithRedisServer, ownPrefix } from '../support/redis';
import { RedisServer } from '../support/redis-server';

/** DESIGN §10: replicas share requests-per-minute counters by Redis, and go on without it. */

jest.setTimeout(60_000);

describeWithRedisServer('two replicas with one Redis', () => {
  let redis: RedisServer;
  let stage: ProcessStage;
  let replicas: readonly [ServingProcess, ServingProcess];

  beforeAll(async () => {
    [redis, stage] = await Promise.all([RedisServer.start(), ProcessStage.start()]);
    stage.clear();
    const environment = { REDIS_URL: redis.url, SCHNEEAI_REDIS_PREFIX: ownPrefix() };
    replicas = [await stage.serve(environment), await stage.serve(environment)];
    await stage.setUp(replicas[0]);
  });
  afterAll(async () => {
    await stage.endAll();
    await Promise.all([stage.stop(), redis.kill()]);
  });

  /** A key of a tenant of its own, which every replica knows. */
  async function newKey(tenant: string, given: Readonly<{ groups: object | null; rpm: number | null }>) {
    await stage.admin(replicas[0], 'POST', '/tenants', { id: tenant, name: tenant, groups: given.groups });
    const { secret } = await stage.admin(replicas[0], 'POST', `/tenants/${tenant}/keys`, {
      name: 'app',
      scopes: ['chat'],
      rpm: given.rpm,
    });
    const key = String(secret);
    for (const { url } of replicas) {
      while ((await fetch(`${url}/v1/models`, { headers: bearer(key) })).status !== 200);
    }
    return key;
  }

  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  async function ask(
    replica: 0 | 1,
    key: string,
  ): Promise<Readonly<{ status: number; left: string | null }>> {
    const response = await stage.chat(replicas[replica], {}, bearer(key));
    await response.text();
    return { status: response.status, left: response.headers.get('x-ratelimit-remaining-requests') };
  }

  it('count the requests of a key together, whichever is asked', async () => {
    const key = await newKey('shared-key', { groups: null, rpm: 3 });

    const answers = [
      await ask(0, key),
      await ask(1, key),
      await ask(0, key),
      await ask(1, key),
      await ask(0, key),
    ];

    expect(answers).toEqual([
      { status: 200, left: '2' },
      { status: 200, left: '1' },
      { status: 200, left: '0' },
      { status: 429, left: '0' },
      { status: 429, left: '0' },
    ]);
  });

  it('give the places of a group to as many as there are, whoever races for them', async () => {
    const key = await newKey('shared-group', { groups: [{ name: 'default', rpm: 4 }], rpm: null });

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => ask(nth % 2 === 0 ? 0 : 1, key)),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8);
  });

  it('count each for itself when Redis is gone, and together again when it is back', async () => {
    const key = await newKey('alone', { groups: null, rpm: 1 });
    await ask(0, key);
    await redis.kill();

    const alone = [await ask(0, key), await ask(1, key), await ask(0, key), await ask(1, key)];
    await redis.start();
    for (const { url } of replicas) await untilShared(url);
    const together = [await ask(0, key), await ask(1, key)];

    expect(alone.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(together.map(({ status }) => status)).toEqual([200, 429]);
  });

  async function untilShared(url: string): Promise<void> {
    while (!(await (await fetch(`${url}/readyz`)).text()).includes('shared'));
  }
});
