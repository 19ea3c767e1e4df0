import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL, type Json } from '../support/gateway';
import { buildProduct, type Build } from '../support/gateway-build';
import { registerProviders } from '../support/gateway-catalog';
import { GatewayProcess, keyIn, type ServingProcess } from '../support/gateway-process';

/** DESIGN §7: (tenant, key) is one interaction, in however many processes, and whatever becomes of them. */

jest.setTimeout(60_000);

const ROUNDS = 50;

let build: Build;
let openai: SimulatedProvider;
let anthropic: SimulatedProvider;
let dataDir: string;
let running: GatewayProcess[] = [];

beforeAll(async () => {
  build = buildProduct();
  [openai, anthropic] = await Promise.all([
    SimulatedProvider.start({ wire: 'openai', name: 'openai', apiKey: OPENAI_CREDENTIAL }),
    SimulatedProvider.start({ wire: 'anthropic', name: 'anthropic', apiKey: ANTHROPIC_CREDENTIAL }),
  ]);
});
afterAll(async () => {
  await Promise.all([openai.stop(), anthropic.stop()]);
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
  openai.reset();
});
afterEach(async () => {
  await Promise.all(running.map((process) => process.end()));
  running = [];
  rmSync(dataDir, { recursive: true, force: true });
});

async function serve(): Promise<ServingProcess> {
  const serving = await GatewayProcess.serve(build.main, {
    SCHNEEAI_DATA_DIR: dataDir,
    SCHNEEAI_SANDBOX: 'off',
    SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
    OPENAI_CREDENTIAL,
    ANTHROPIC_CREDENTIAL,
  });
  running.push(serving.process);
  return serving;
}

type Keys = Readonly<{ chat: string; operator: string }>;

async function setUp({ url, welcome }: ServingProcess): Promise<Keys> {
  const operator = keyIn(welcome, 'SCHNEEAI_OPERATOR_KEY');
  const put = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
    const init = { method: 'PUT', headers, body: JSON.stringify(body) };
    const { status } = await fetch(`${url}/admin/v1${path}`, init);
    if (status >= 300) throw new Error(`PUT ${path} was answered ${status}`);
  };
  const urls = { openai: openai.baseUrl, anthropic: anthropic.baseUrl };
  await registerProviders(put, urls, {
    openai: 'env:OPENAI_CREDENTIAL',
    anthropic: 'env:ANTHROPIC_CREDENTIAL',
  });
  return { operator, chat: keyIn(welcome, 'SCHNEEAI_KEY') };
}

type Got = Readonly<{ status: number; requestId: string; replayed: boolean; text: string }>;

async function ask(url: string, key: string, idempotencyKey: string): Promise<Got> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    replayed: response.headers.has('idempotent-replayed'),
    text: await response.text(),
  };
}

it('is one provider call, though two processes are asked at the same instant', async () => {
  const first = await serve();
  const keys = await setUp(first);
  const second = await serve();

  for (let round = 1; round <= ROUNDS; round += 1) {
    const answers = await Promise.all([
      ask(first.url, keys.chat, `round-${round}`),
      ask(second.url, keys.chat, `round-${round}`),
    ]);

    expect(openai.received).toHaveLength(round);
    const ran = answers.filter(({ status, replayed }) => status === 200 && !replayed);
    expect(ran).toHaveLength(1);
    const [other] = answers.filter((answer) => answer !== ran[0]);
    // The other process may have looked only when the answer was there.
    if (other!.status === 200) expect(other).toEqual({ ...ran[0], replayed: true });
    else
      expect([other!.status, other!.text]).toEqual([409, expect.stringContaining('idempotency_in_progress')]);
  }
});

it('waits for what a killed process has left, and then goes on with it', async () => {
  const killed = await serve();
  const keys = await setUp(killed);
  openai.setBehaviour({ kind: 'answer', holdAt: 'before_headers' });
  const cut = ask(killed.url, keys.chat, 'order-1').catch(String);
  await openai.waitForCalls(1);
  killed.process.signal('SIGKILL');
  await Promise.all([killed.process.waitForEnd(), cut]);
  openai.reset();

  const early = await serve();
  expect(await ask(early.url, keys.chat, 'order-1')).toMatchObject({ status: 409 });
  expect(openai.received).toHaveLength(0);
  early.process.signal('SIGKILL');
  await early.process.waitForEnd();
  // Nobody waits for a deadline here: it has passed long ago.
  letDeadlinesPass();

  const later = await serve();
  let again: Got;
  do again = await ask(later.url, keys.chat, 'order-1');
  while (again.status === 409);

  expect(again).toMatchObject({ status: 200, replayed: false });
  expect(openai.received).toHaveLength(1);
  const { data } = await admin(later.url, keys.operator, '/audit/records');
  expect(data).toMatchObject([{ state: 'served' }, { state: 'interrupted' }]);
  expect(data![0]!['billable_id']).toBe(data![1]!['request_id']);
});

async function admin(url: string, key: string, path: string): Promise<Json> {
  const response = await fetch(`${url}/admin/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as Json;
}

function letDeadlinesPass(): void {
  const connection = new Sqlite(join(dataDir, 'schneeai.db'));
  try {
    connection.exec('update interactions set deadline_at = deadline_at - 600000 where closed_at is null');
  } finally {
    connection.close();
  }
}
