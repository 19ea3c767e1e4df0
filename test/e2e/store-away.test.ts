import { takeWriteLock } from '../../src/infra/store/sqlite/write-lock';
import { readStream } from '../support/gateway-events';
import { miniFirst, timeouts } from '../support/gateway-policy';
import type { ServingProcess } from '../support/gateway-process';
import { ProcessStage, untilRefused } from '../support/process-stage';

/** DESIGN §7 and §12, over real processes: the store goes while interactions run, and comes back. */

jest.setTimeout(60_000);

const STREAMED = { stream: true };
const PATIENT = { default: miniFirst(timeouts({ idle_ms: 60_000, deadline_ms: 120_000 })) };

let stage: ProcessStage;
let giveBack: (() => void) | null = null;

beforeAll(async () => {
  stage = await ProcessStage.start();
});
afterAll(() => stage.stop());
beforeEach(() => stage.clear());
afterEach(async () => {
  giveStoreBack();
  await stage.endAll();
});

function takeStoreAway(): void {
  giveBack = takeWriteLock(stage.databasePath);
}

function giveStoreBack(): void {
  giveBack?.();
  giveBack = null;
}

/** A stream whose provider pauses after the first word. */
async function pausedStream(serving: ServingProcess): Promise<Response> {
  stage.openai.setBehaviour({ kind: 'answer', text: 'one two three', holdAt: 1 });
  return stage.chat(serving, STREAMED);
}

async function finished(stream: Response): Promise<void> {
  stage.openai.setBehaviour({ kind: 'answer' });
  stage.openai.release();
  const { content, done, error } = readStream(await stream.text());
  expect({ content, done, error }).toEqual({ content: 'one two three', done: true, error: null });
}

describe('a store that is away for a while', () => {
  it('stops new requests before any provider and no running one, and has every ending afterwards', async () => {
    const serving = await stage.serve();
    await stage.setUp(serving, PATIENT);
    const stream = await pausedStream(serving);
    takeStoreAway();

    const [refused] = await Promise.all([stage.chat(serving, {}), finished(stream)]);

    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error: { code: 'audit_unavailable' } });
    expect(stage.openai.received).toHaveLength(1);
    expect(stage.spooledFiles).toHaveLength(1);
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(503);
    const metrics = await (await fetch(`${serving.url}/metrics`)).text();
    expect(metrics).toMatch(/^schneeai_spool_closings 1$/m);

    giveStoreBack();
    await stage.untilAllAreClosed();

    expect(stage.states()).toEqual(['served']);
    expect((await stage.chat(serving, {})).status).toBe(200);
    serving.process.signal('SIGTERM');
    const { output, code } = await serving.process.waitForEnd();
    expect(code).toBe(0);
    expect(output.match(/kept in the spool/g)).toHaveLength(1);
    expect(output.match(/the spool is empty/g)).toHaveLength(1);
    expect(stage.spooledFiles).toEqual([]);
  });

  it('loses no ending when the process is killed meanwhile: another one of the data folder writes it', async () => {
    const serving = await stage.serve();
    await stage.setUp(serving, PATIENT);
    const other = await stage.serve();
    const streams = [await pausedStream(serving), await pausedStream(serving)];
    takeStoreAway();
    await Promise.all(streams.map(finished));

    serving.process.signal('SIGKILL');
    await serving.process.waitForEnd();
    giveStoreBack();
    await stage.untilAllAreClosed();

    expect(stage.states()).toEqual(['served', 'served']);
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    expect((await stage.run('audit', 'verify')).code).toBe(0);
  });

  it('does not keep a process that is told to stop, and the next start writes what it kept', async () => {
    const serving = await stage.serve({ SCHNEEAI_SHUTDOWN_GRACE_MS: '100' });
    await stage.setUp(serving, PATIENT);
    const stream = await pausedStream(serving);
    takeStoreAway();

    serving.process.signal('SIGTERM');

    const { content, done } = readStream(await stream.text());
    expect({ content, done }).toEqual({ content: 'one', done: false });
    expect(await serving.process.waitForEnd()).toMatchObject({ code: 0, errors: '' });
    expect(stage.spooledFiles).toHaveLength(1);
    giveStoreBack();
    await stage.serve();
    await stage.untilAllAreClosed();
    expect(stage.states()).toEqual(['partial']);
    expect(stage.spooledFiles).toEqual([]);
  });
});

describe('the spool', () => {
  it('holds neither question nor answer nor key, and yet the answer that its idempotency key repeats', async () => {
    const question = { ...STREAMED, messages: [{ role: 'user', content: 'canary-question' }] };
    const key = { 'idempotency-key': 'canary-key' };
    const serving = await stage.serve();
    await stage.setUp(serving, PATIENT);
    stage.openai.setBehaviour({ kind: 'answer', text: 'canary-answer two three', holdAt: 1 });
    const stream = await stage.chat(serving, question, key);
    takeStoreAway();
    stage.openai.release();
    await stream.text();

    expect(stage.spooledText).toContain('"state":"served"');
    expect(stage.spooledText).not.toMatch(/canary|sk-proj/);
    giveStoreBack();
    await stage.untilAllAreClosed();

    const again = await stage.chat(serving, question, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(readStream(await again.text())).toMatchObject({ content: 'canary-answer two three', done: true });
    expect(stage.openai.received).toHaveLength(1);
  });
});

describe('told to stop', () => {
  it('is not ready at once, and serves until load balancers had time to notice', async () => {
    const serving = await stage.serve({ SCHNEEAI_SHUTDOWN_DELAY_MS: '1500' });
    await stage.setUp(serving, PATIENT);

    serving.process.signal('SIGTERM');

    let ready = 200;
    while (ready === 200) ready = (await fetch(`${serving.url}/readyz`)).status;
    expect(ready).toBe(503);
    expect((await stage.chat(serving, {})).status).toBe(200);
    expect(await serving.process.waitForEnd()).toMatchObject({ code: 0, errors: '' });
    expect(stage.states()).toEqual(['served']);
  });

  it('ends at once when it is told twice', async () => {
    const serving = await stage.serve({ SCHNEEAI_SHUTDOWN_GRACE_MS: '600000' });
    await stage.setUp(serving, PATIENT);
    const stream = await pausedStream(serving);

    serving.process.signal('SIGTERM');
    await untilRefused(serving);
    serving.process.signal('SIGTERM');

    expect(await serving.process.waitForEnd()).toMatchObject({ code: 143 });
    await expect(stream.text()).rejects.toThrow();
    expect(stage.states()).toEqual(['open']);
  });
});
