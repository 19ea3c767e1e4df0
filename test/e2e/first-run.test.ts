import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startGateway, type Started } from '../../src/container/start-gateway';
import { readConfig } from '../../src/infra/config/config';
import { buildProduct, type Build } from '../support/gateway-build';
import type { Json } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';

jest.setTimeout(30_000);

let dataDir: string;
let started: Started;
let keys: NonNullable<Started['keys']>;

async function start(folder = dataDir, port = '0'): Promise<Started> {
  const config = readConfig({ PORT: port, SCHNEEAI_DATA_DIR: folder, SCHNEEAI_SHUTDOWN_GRACE_MS: '0' });
  if (!config.ok) throw new Error(config.error.join('\n'));
  return startGateway({ config: config.value, logger: pino({ level: 'silent' }) });
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
  started = await start();
  keys = started.keys!;
});
afterAll(async () => {
  await started.gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function get(path: string, key?: string): Promise<{ status: number; text: string; body: Json }> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${started.gateway.baseUrl}${path}`, { headers });
  const text = await response.text();
  return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Json };
}

async function ask(model = 'gpt-4o-mini'): Promise<{ status: number; id: string | null; body: Json }> {
  const response = await fetch(`${started.gateway.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.chat}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'How deep is the snow?' }] }),
  });
  const body = (await response.json()) as Json;
  return { status: response.status, id: response.headers.get('x-request-id'), body };
}

async function switchFault(provider: string, fault: string, key = keys.operator): Promise<number> {
  const response = await fetch(`${started.gateway.baseUrl}/sandbox/providers/${provider}/fault`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fault }),
  });
  return response.status;
}

describe('the first start without any credential', () => {
  it('is a sandbox with two providers, and answers', async () => {
    expect(started.sandbox).not.toBeNull();
    expect([...started.providers].sort()).toEqual(['anthropic', 'openai']);
    expect(await ask()).toMatchObject({ status: 200, body: { model: 'gpt-4o-mini' } });
  });

  it('shows a failover as soon as a fault is switched on, and its record', async () => {
    expect(await switchFault('openai', 'down')).toBe(200);

    const { status, id, body } = await ask();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      model: 'gpt-4o-mini→claude-haiku-4-5 (fallback: gpt-4o-mini)',
      schneeai: { fallback_reason: 'primary_provider_5xx', served_provider: 'anthropic', attempts: 3 },
    });
    const record = await get(`/admin/v1/audit/records/${id}`, keys.operator);
    expect(record.body['ledger']!.map(({ action }) => action)).toEqual([
      'initial',
      'retry',
      'model_fallback',
    ]);
    expect(await switchFault('openai', 'healthy')).toBe(200);
  });

  it('answers for auto', async () => {
    expect((await ask('auto')).status).toBe(200);
  });

  it('keeps its switch for the operator, and names the faults that there are', async () => {
    expect(await switchFault('openai', 'down', keys.chat)).toBe(403);
    expect(await switchFault('nobody', 'down')).toBe(404);
    expect(await switchFault('openai', 'bored')).toBe(400);
    const { body } = await get('/sandbox/providers', keys.operator);
    expect(body['sandbox']).toBe(true);
    expect(body['faults']!.map(({ name }) => name)).toContain('down');
  });

  it('says that it is a sandbox', async () => {
    expect((await get('/readyz')).body).toEqual({ status: 'ready', sandbox: true });
  });
});

describe('what operators look at', () => {
  it('lives', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('counts interactions and attempts', async () => {
    const count = async (): Promise<number> => {
      const { text } = await get('/metrics');
      return Number(
        /^schneeai_attempts_total\{provider="openai",action="initial",outcome="served"\} (\d+)$/m.exec(
          text,
        )?.[1] ?? 0,
      );
    };
    const before = await count();

    await ask();

    expect(await count()).toBe(before + 1);
  });

  it('is described by a document that names every admin path', async () => {
    const { body } = await get('/openapi.json');

    expect(body['openapi']).toMatch(/^3\./);
    expect(Object.keys(body['paths']!)).toEqual(
      expect.arrayContaining([
        '/admin/v1/tenants',
        '/admin/v1/channels/{channel}/disable',
        '/admin/v1/tenants/{tenant}/routing-policies/{policy}',
        '/admin/v1/audit/records/{request_id}',
      ]),
    );
  });

  it('lists the models of a tenant', async () => {
    const { body } = await get('/v1/models', keys.chat);

    expect(body['data']!.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['gpt-4o-mini', 'claude-haiku-4-5']),
    );
  });
});

describe('a first start whose port is taken', () => {
  it('leaves the keys to the start that can show them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
    const { port } = new URL(started.gateway.baseUrl);

    await expect(start(folder, port)).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
    const next = await start(folder);

    expect(next.keys).toMatchObject({ chat: expect.any(String), operator: expect.any(String) });
    await next.gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('the second start', () => {
  it('shows no keys, and takes those of the first', async () => {
    await started.gateway.stop();
    started = await start();

    expect(started.keys).toBeNull();
    expect(started.sandbox).not.toBeNull();
    expect((await ask()).status).toBe(200);
  });
});

describe('a start after a real channel was registered', () => {
  it('names the providers that can answer, and not those of the sandbox that is over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
    const sandbox = await start(folder);
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${sandbox.gateway.baseUrl}/admin/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.keys!.operator}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('providers', { id: 'mistral', name: 'Mistral' });
    const base_url = 'https://api.example.com/v1';
    const channel = { id: 'mi', provider: 'mistral', kind: 'openai', base_url, region: 'eu' };
    const { status } = await post('channels', { ...channel, credential_ref: 'env:MISTRAL_API_KEY' });
    await sandbox.gateway.stop();

    const next = await start(folder);

    expect(status).toBe(201);
    expect(next.sandbox).toBeNull();
    expect(next.providers).toEqual(['mistral']);
    await next.gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('the command line', () => {
  let build: Build;
  beforeAll(() => {
    build = buildProduct();
  });

  const run = (...args: string[]) => GatewayProcess.run(build.main, args, { SCHNEEAI_DATA_DIR: dataDir });

  it('makes a key that the running gateway takes', async () => {
    const { code, output } = await run(
      'keys',
      'create',
      '--name',
      'ci',
      '--tenant',
      'demo',
      '--scope',
      'chat',
    );

    expect(code).toBe(0);
    // Another process wrote it, so the gateway hears of it within a second.
    let status = 401;
    while (status === 401) ({ status } = await get('/v1/models', output.trim()));
    expect(status).toBe(200);
  });

  it('refuses what it does not know, with a reason and a code of its own', async () => {
    const ends = await Promise.all([
      run('keys', 'create', '--name', 'ci', '--tenant', 'nobody', '--scope', 'chat'),
      run('fly'),
    ]);

    expect(ends.map(({ code }) => code)).toEqual([1, 2]);
    expect(ends.map(({ errors }) => errors.split('\n')[0])).toEqual([
      "There is no tenant 'nobody'.",
      "There is no command 'fly'.",
    ]);
  });
});
