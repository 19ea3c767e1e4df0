import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import { OPENAI_CREDENTIAL, type Json } from '../support/gateway';
import { buildProduct, type Build } from '../support/gateway-build';
import { registerProviders } from '../support/gateway-catalog';
import { GatewayProcess, keyIn, type ServingProcess } from '../support/gateway-process';
import { describeWithRedisServer, ownPrefix } from '../support/redis';
import { RedisServer } from '../support/redis-server';

/** DESIGN §10: replicas share requests-per-minute counters by Redis, and go on without it. */

jest.setTimeout(60_000);

describeWithRedisServer('two replicas with one Redis', () => {
  let build: Build;
  let openai: SimulatedProvider;
  let redis: RedisServer;
  let dataDir: string;
  let replicas: readonly ServingProcess[];
  let operator: string;

  beforeAll(async () => {
    build = buildProduct();
    dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
    openai = await SimulatedProvider.start({ wire: 'openai', name: 'openai', apiKey: OPENAI_CREDENTIAL });
    redis = await RedisServer.start();
    const environment = {
      SCHNEEAI_DATA_DIR: dataDir,
      SCHNEEAI_SANDBOX: 'off',
      SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
      REDIS_URL: redis.url,
      SCHNEEAI_REDIS_PREFIX: ownPrefix(),
      OPENAI_CREDENTIAL,
    };
    const first = await GatewayProcess.serve(build.main, environment);
    operator = keyIn(first.welcome, 'SCHNEEAI_OPERATOR_KEY');
    replicas = [first, await GatewayProcess.serve(build.main, environment)];
    const urls = { openai: openai.baseUrl, anthropic: openai.baseUrl };
    await registerProviders((path, body) => admin('PUT', path, body), urls, {
      openai: 'env:OPENAI_CREDENTIAL',
      anthropic: 'env:OPENAI_CREDENTIAL',
    });
  });
  afterAll(async () => {
    await Promise.all(replicas.map(({ process }) => process.end()));
    await Promise.all([openai.stop(), redis.kill()]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function admin(method: string, path: string, body: object): Promise<Json> {
    const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${replicas[0]!.url}/admin/v1${path}`, init);
    if (response.status >= 300) throw new Error(`${method} ${path} was answered ${response.status}`);
    return (await response.json()) as Json;
  }

  /** A key of a tenant of its own, which every replica knows. */
  async function newKey(tenant: string, given: Readonly<{ groups: object | null; rpm: number | null }>) {
    await admin('POST', '/tenants', { id: tenant, name: tenant, groups: given.groups });
    const { secret } = await admin('POST', `/tenants/${tenant}/keys`, {
      name: 'app',
      scopes: ['chat'],
      rpm: given.rpm,
    });
    const key = String(secret);
    for (const { url } of replicas) {
      while ((await fetch(`${url}/v1/models`, bearer(key))).status !== 200);
    }
    return key;
  }

  const bearer = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } });

  async function ask(
    replica: number,
    key: string,
  ): Promise<Readonly<{ status: number; left: string | null }>> {
    const response = await fetch(`${replicas[replica]!.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }),
    });
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

    const answers = await Promise.all(Array.from({ length: 12 }, (_, nth) => ask(nth % 2, key)));

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
