import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL, type Json } from '../support/gateway';
import { buildProduct, type Build } from '../support/gateway-build';
import { registerProviders } from '../support/gateway-catalog';
import { readStream } from '../support/gateway-events';
import { miniFirst, timeouts } from '../support/gateway-policy';
import { GatewayProcess, keyIn, type ServingProcess } from '../support/gateway-process';

/** DESIGN §7 and §12, of the product in a process of its own: no attempt at a provider without its opening record. */

jest.setTimeout(60_000);

let build: Build;
let openai: SimulatedProvider;
let anthropic: SimulatedProvider;
let dataDir: string;
let running: GatewayProcess[] = [];

beforeAll(async () => {
  build = buildProduct();
  openai = await SimulatedProvider.start({ wire: 'openai', name: 'openai', apiKey: OPENAI_CREDENTIAL });
  anthropic = await SimulatedProvider.start({
    wire: 'anthropic',
    name: 'anthropic',
    apiKey: ANTHROPIC_CREDENTIAL,
  });
});
afterAll(async () => {
  await Promise.all([openai.stop(), anthropic.stop()]);
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
  openai.reset();
  anthropic.reset();
});
afterEach(async () => {
  await Promise.all(running.map((process) => process.end()));
  running = [];
  rmSync(dataDir, { recursive: true, force: true });
});

async function serve(environment: Readonly<Record<string, string>> = {}): Promise<ServingProcess> {
  const serving = await GatewayProcess.serve(build.main, {
    SCHNEEAI_DATA_DIR: dataDir,
    SCHNEEAI_SANDBOX: 'off',
    SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
    OPENAI_CREDENTIAL,
    ANTHROPIC_CREDENTIAL,
    ...environment,
  });
  running.push(serving.process);
  return serving;
}

/** More than any test here can cost. */
const CREDIT_MICRO_USD = 1_000_000_000;

type Keys = Readonly<{ chat: string; operator: string }>;

/** Registers both providers and a policy for the demo tenant of the first run. */
async function setUp({ url, welcome }: ServingProcess, policy: object): Promise<Keys> {
  const operator = keyIn(welcome, 'SCHNEEAI_OPERATOR_KEY');
  const put = async (path: string, body: object): Promise<void> => {
    const { status } = await fetch(`${url}/admin/v1${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (status >= 300) throw new Error(`PUT ${path} was answered ${status}`);
  };
  const urls = { openai: openai.baseUrl, anthropic: anthropic.baseUrl };
  await registerProviders(put, urls, {
    openai: 'env:OPENAI_CREDENTIAL',
    anthropic: 'env:ANTHROPIC_CREDENTIAL',
  });
  await put('/tenants/demo/routing-policies/default', policy);
  await put('/tenants/demo/wallet', { payment: 'wallet' });
  await fetch(`${url}/admin/v1/tenants/demo/wallet/credits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount_micro_usd: CREDIT_MICRO_USD, reference: 'first' }),
  });
  return { operator, chat: keyIn(welcome, 'SCHNEEAI_KEY') };
}

function chat(url: string, key: string, body: object, headers: object = {}): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-4o-mini', max_tokens: 100, ...body }),
  });
}

async function admin(url: string, key: string, path: string): Promise<Json> {
  const response = await fetch(`${url}/admin/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as Json;
}

function database<T>(use: (connection: Sqlite.Database) => T): T {
  const connection = new Sqlite(join(dataDir, 'schneeai.db'));
  try {
    return use(connection);
  } finally {
    connection.close();
  }
}

describe('killed under load', () => {
  const CALLERS = 12;

  /** Asks again and again, whole and streamed, until nobody answers any more. */
  async function askUntilRefused(url: string, key: string, caller: string): Promise<void> {
    try {
      for (let turn = 0; ; turn += 1) {
        const id = `${caller}-${turn}`;
        const body = { stream: turn % 2 === 0, messages: [{ role: 'user', content: `question ${id}` }] };
        await (await chat(url, key, body, { 'x-client-request-id': id })).text();
      }
    } catch {
      // The gateway is gone: that is what this test is about.
    }
  }

  /** A retry for every second call, and now and then a failover. */
  function unreliable(calls: number): Behaviour[] {
    const down: Behaviour = { kind: 'status', status: 503 };
    const slow: Behaviour = { kind: 'answer', chunkDelayMs: 2 };
    return Array.from({ length: calls }, (_, index) => (index % 4 === 1 ? down : slow));
  }

  /** Calls that a provider has received and no attempt on record accounts for. */
  function unrecorded(): string[] {
    return database((connection) => {
      const byNumber = connection.prepare('select 1 from attempts where request_id = ? and number = ?');
      const atOpenAi = openai.received.map(({ headers }) => String(headers['x-client-request-id']));
      // The Messages API takes no id of ours, so the caller's own one is looked for in the question.
      const byCaller = connection
        .prepare(
          `select count(*) from attempts join interactions using (request_id)
           where parent_request_id = ? and provider = 'anthropic'`,
        )
        .pluck();
      const atAnthropic = new Map<string, number>();
      for (const { bodyText } of anthropic.received) {
        const id = /question ([\w-]+)/.exec(bodyText)?.[1] ?? '';
        atAnthropic.set(id, (atAnthropic.get(id) ?? 0) + 1);
      }
      return [
        ...atOpenAi.filter((id) => byNumber.get(id.slice(0, 30), Number(id.slice(31))) === undefined),
        ...[...atAnthropic].filter(([id, calls]) => Number(byCaller.get(id)) < calls).map(([id]) => id),
      ];
    });
  }

  it('three times, it has an opening record for every call, and the next start closes what was left open', async () => {
    let serving = await serve();
    const keys = await setUp(serving, miniFirst());

    for (const kill of [1, 2, 3]) {
      const before = openai.received.length;
      openai.enqueue(...unreliable(100 * kill));
      const load = Array.from({ length: CALLERS }, (_, caller) =>
        askUntilRefused(serving.url, keys.chat, `k${kill}c${caller}`),
      );
      await openai.waitForCalls(before + 60 + 25 * kill);

      serving.process.signal('SIGKILL');
      await Promise.all([serving.process.waitForEnd(), ...load]);

      expect(unrecorded()).toEqual([]);
      const leftOpen = database((connection) => {
        const open = connection
          .prepare('select count(*) from interactions where closed_at is null')
          .pluck()
          .get();
        // Nobody waits for a deadline here: it has passed long ago.
        connection.exec('update interactions set deadline_at = deadline_at - 600000 where closed_at is null');
        return Number(open);
      });
      expect(leftOpen).toBeGreaterThan(0);

      const startedAtMs = Date.now();
      serving = await serve();
      expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
      expect(Date.now() - startedAtMs).toBeLessThan(10_000);
      expect(serving.welcome).not.toContain('SCHNEEAI_KEY=');
      await untilNothingIsOpen(serving.url, keys.operator);
      await expectSettled(serving.url, keys.operator);
    }

    openai.reset();
    const answered = await chat(serving.url, keys.chat, { messages: [{ role: 'user', content: 'Hi' }] });
    expect(answered.status).toBe(200);
    expect(anthropic.received.length).toBeGreaterThan(0);
    const states = database((connection) =>
      connection.prepare('select distinct state from interactions order by state').pluck().all(),
    );
    expect(states).toEqual(['interrupted', 'served']);
  });

  /** Whatever was running when it was killed: the wallet holds its credits less what the records cost, and nothing is held. */
  async function expectSettled(url: string, operator: string): Promise<void> {
    const { costs, unknown } = database(
      (connection) =>
        connection
          .prepare(
            `select sum(cost_micro_usd) as costs, count(*) filter (where cost_micro_usd is null) as unknown
             from interactions`,
          )
          .get() as { costs: number; unknown: number },
    );
    expect(unknown).toBe(0);
    expect(await admin(url, operator, '/tenants/demo/wallet')).toMatchObject({
      balance_micro_usd: CREDIT_MICRO_USD - costs,
      reserved_micro_usd: 0,
      spent_micro_usd: costs,
    });
    expect(await admin(url, operator, '/tenants/demo/wallet/verify')).toMatchObject({ consistent: true });
  }

  async function untilNothingIsOpen(url: string, operator: string): Promise<void> {
    let open: Json;
    do open = (await admin(url, operator, '/audit/records?state=open'))['data'] as Json;
    while (open.length > 0);
  }
});

describe('told to stop', () => {
  const QUESTION = { stream: true, messages: [{ role: 'user', content: 'Hi' }] };

  async function stateOfTheOnlyRecord(): Promise<unknown> {
    return database((connection) =>
      connection.prepare('select state, closed_at is not null as closed from interactions').all(),
    );
  }

  it('lets a running stream finish within the grace period, takes no other, and ends with 0', async () => {
    const serving = await serve({ SCHNEEAI_SHUTDOWN_GRACE_MS: '20000' });
    const { chat: key } = await setUp(serving, miniFirst());
    openai.setBehaviour({ kind: 'answer', text: 'one two three', holdAt: 1 });
    const response = await chat(serving.url, key, QUESTION);

    serving.process.signal('SIGTERM');
    await refusedConnection(serving.url);
    openai.release();

    const { content, done, error } = readStream(await response.text());
    expect({ content, done, error }).toEqual({ content: 'one two three', done: true, error: null });
    const end = await serving.process.waitForEnd();
    expect(end).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(await stateOfTheOnlyRecord()).toEqual([{ state: 'served', closed: 1 }]);
  });

  it('ends a stream that takes longer with an error event and a closed record, and ends with 0', async () => {
    const serving = await serve({ SCHNEEAI_SHUTDOWN_GRACE_MS: '100' });
    const { chat: key } = await setUp(
      serving,
      miniFirst(timeouts({ idle_ms: 60_000, deadline_ms: 120_000 })),
    );
    openai.setBehaviour({ kind: 'answer', text: 'one two three', holdAt: 1 });
    const response = await chat(serving.url, key, QUESTION);

    serving.process.signal('SIGTERM');

    const { content, done, error } = readStream(await response.text());
    expect({ content, done }).toEqual({ content: 'one', done: false });
    expect(error).toMatchObject({ error: { message: expect.any(String) } });
    const end = await serving.process.waitForEnd();
    expect(end).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(await stateOfTheOnlyRecord()).toEqual([{ state: 'partial', closed: 1 }]);
    expect((await openai.waitForClose(0)).state).toBe('closed_by_peer');
    expect(anthropic.received).toHaveLength(0);
  });

  /** Resolves when the gateway accepts no more connections. */
  async function refusedConnection(url: string): Promise<void> {
    for (;;) {
      const accepted = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      );
      if (!accepted) return;
    }
  }
});
