import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import { eventually } from '../support/eventually';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL, type Json } from '../support/gateway';
import { buildProduct, type Build } from '../support/gateway-build';
import { registerProviders } from '../support/gateway-catalog';
import { haikuFirst, HAIKU, miniFirst, MINI } from '../support/gateway-policy';
import { GatewayProcess, keyIn, type ServingProcess } from '../support/gateway-process';
import { describeWithRedisServer } from '../support/redis';
import { RedisServer } from '../support/redis-server';

/** DESIGN §6 and §10: two processes on one store and one Redis learn from each other, and each goes on without it. */

jest.setTimeout(60_000);

const NO_RETRY = { retry: { max_retries: 0 } };
const DOWN = { kind: 'status', status: 503 } as const;

describeWithRedisServer('two replicas with one Redis', () => {
  let build: Build;
  let redis: RedisServer;
  let openai: SimulatedProvider;
  let anthropic: SimulatedProvider;
  let replicas: readonly ServingProcess[] = [];
  let keys: Readonly<{ chat: string; operator: string }>;
  const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));

  beforeAll(async () => {
    build = buildProduct();
    redis = await RedisServer.start();
    openai = await SimulatedProvider.start({ wire: 'openai', name: 'openai', apiKey: OPENAI_CREDENTIAL });
    anthropic = await SimulatedProvider.start({
      wire: 'anthropic',
      name: 'anthropic',
      apiKey: ANTHROPIC_CREDENTIAL,
    });
    const first = await serve();
    keys = {
      operator: keyIn(first.welcome, 'SCHNEEAI_OPERATOR_KEY'),
      chat: keyIn(first.welcome, 'SCHNEEAI_KEY'),
    };
    await setUp(first);
    replicas = [first, await serve()];
  });
  afterAll(async () => {
    await Promise.all(replicas.map(({ process }) => process.end()));
    await Promise.all([openai.stop(), anthropic.stop(), redis.kill()]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  function serve(): Promise<ServingProcess> {
    return GatewayProcess.serve(build.main, {
      SCHNEEAI_DATA_DIR: dataDir,
      SCHNEEAI_SANDBOX: 'off',
      SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
      REDIS_URL: redis.url,
      OPENAI_CREDENTIAL,
      ANTHROPIC_CREDENTIAL,
    });
  }

  async function setUp({ url }: ServingProcess): Promise<void> {
    const put = async (path: string, body: object): Promise<void> => {
      const { status } = await fetch(`${url}/admin/v1${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${keys.operator}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (status >= 300) throw new Error(`PUT ${path} was answered ${status}`);
    };
    const urls = { openai: openai.baseUrl, anthropic: anthropic.baseUrl };
    await registerProviders(put, urls, {
      openai: 'env:OPENAI_CREDENTIAL',
      anthropic: 'env:ANTHROPIC_CREDENTIAL',
    });
    await put('/tenants/demo/routing-policies/mini', miniFirst(NO_RETRY));
    await put('/tenants/demo/routing-policies/haiku', haikuFirst(NO_RETRY));
  }

  async function ask(replica: number, { model }: typeof MINI): Promise<Response> {
    const response = await fetch(`${replicas[replica]!.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.chat}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await response.arrayBuffer();
    return response;
  }

  async function read(replica: number, path: string): Promise<string> {
    const response = await fetch(`${replicas[replica]!.url}${path}`, {
      headers: { authorization: `Bearer ${keys.operator}` },
    });
    return response.text();
  }

  const documentOf = async (replica: number, path: string): Promise<Json> =>
    JSON.parse(await read(replica, path)) as Json;

  async function circuit(replica: number, offering: string): Promise<string> {
    const { routes } = await documentOf(replica, '/admin/v1/health');
    return String(routes!.find((route) => String(route['offering']) === offering)!['circuit']!['state']);
  }

  const sharing = async (replica: number): Promise<unknown> =>
    (await documentOf(replica, '/readyz'))['sharing'];

  it('a provider that fails at one is not called by the other', async () => {
    openai.setBehaviour(DOWN);
    for (let failure = 0; failure < 3; failure += 1) expect((await ask(0, MINI)).status).toBe(200);
    await eventually(async () => expect(await circuit(1, 'mini')).toBe('open'));

    const answered = await ask(1, MINI);

    expect(answered.status).toBe(200);
    expect(answered.headers.get('x-schneeai-fallback-reason')).toBe('primary_circuit_open');
    expect(openai.received).toHaveLength(3);
    expect((await documentOf(1, '/admin/v1/health'))['sharing']).toBe('shared');
    expect(await read(1, '/metrics')).toContain('schneeai_redis_up 1');
  });

  it('without Redis both serve and are ready, say that they are alone, and share again when it is back', async () => {
    openai.setBehaviour({ kind: 'answer' });
    await redis.kill();
    await eventually(async () => expect([await sharing(0), await sharing(1)]).toEqual(['alone', 'alone']));
    expect(await read(1, '/metrics')).toContain('schneeai_redis_up 0');

    anthropic.setBehaviour(DOWN);
    const alone = [await ask(0, HAIKU), await ask(0, HAIKU), await ask(0, HAIKU)];
    expect(await circuit(0, 'haiku')).toBe('open');
    expect(await circuit(1, 'haiku')).toBe('closed');
    anthropic.setBehaviour({ kind: 'answer' });
    expect((await ask(1, HAIKU)).status).toBe(200);

    await redis.start();
    await eventually(async () => expect(await circuit(1, 'haiku')).toBe('open'));
    expect(await sharing(0)).toBe('shared');
    expect(alone.map(({ status }) => status)).toEqual([502, 502, 502]);
  });

  it('a replica that starts now knows it before its first request', async () => {
    const late = await serve();
    replicas = [...replicas, late];

    expect(await circuit(2, 'haiku')).toBe('open');
  });
});
