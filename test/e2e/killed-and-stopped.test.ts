import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { readStream } from '../support/gateway-events';
import { miniFirst, timeouts, type PolicyBody } from '../support/gateway-policy';
import type { ServingProcess } from '../support/gateway-process';
import { ProcessStage, untilRefused } from '../support/process-stage';

/** DESIGN §7 and §12, of the product in a process of its own: no attempt at a provider without its opening record. */

jest.setTimeout(60_000);

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.start();
});
afterAll(() => stage.stop());
beforeEach(() => stage.clear());
afterEach(() => stage.endAll());

/** More than any test here can cost. */
const CREDIT_MICRO_USD = 1_000_000_000;

/** The demo tenant has a policy, and pays from its wallet. */
async function setUp(serving: ServingProcess, policy: PolicyBody = miniFirst()): Promise<void> {
  await stage.setUp(serving, { default: policy });
  await stage.admin(serving, 'PUT', '/tenants/demo/wallet', { payment: 'wallet' });
  const credit = { amount_micro_usd: CREDIT_MICRO_USD, reference: 'first' };
  await stage.admin(serving, 'POST', '/tenants/demo/wallet/credits', credit);
}

function chat(serving: ServingProcess, body: object, headers: object = {}): Promise<Response> {
  return stage.chat(serving, { max_tokens: 100, ...body }, headers);
}

describe('killed under load', () => {
  const CALLERS = 12;

  /** Asks again and again, whole and streamed, until nobody answers any more. */
  async function askUntilRefused(serving: ServingProcess, caller: string): Promise<void> {
    try {
      for (let turn = 0; ; turn += 1) {
        const id = `${caller}-${turn}`;
        const body = { stream: turn % 2 === 0, messages: [{ role: 'user', content: `question ${id}` }] };
        await (await chat(serving, body, { 'x-client-request-id': id })).text();
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
    return stage.database((connection) => {
      const byNumber = connection.prepare('select 1 from attempts where request_id = ? and number = ?');
      const atOpenAi = stage.openai.received.map(({ headers }) => String(headers['x-client-request-id']));
      // The Messages API takes no id of ours, so the caller's own one is looked for in the question.
      const byCaller = connection
        .prepare(
          `select count(*) from attempts join interactions using (request_id)
           where parent_request_id = ? and provider = 'anthropic'`,
        )
        .pluck();
      const atAnthropic = new Map<string, number>();
      for (const { bodyText } of stage.anthropic.received) {
        const id = /question ([\w-]+)/.exec(bodyText)?.[1] ?? '';
        atAnthropic.set(id, (atAnthropic.get(id) ?? 0) + 1);
      }
      return [
        ...atOpenAi.filter((id) => byNumber.get(id.slice(0, 30), Number(id.slice(31))) === undefined),
        ...[...atAnthropic].filter(([id, calls]) => Number(byCaller.get(id)) < calls).map(([id]) => id),
      ];
    });
  }

  /** Of either: where the first three failures come before the first answer, the circuit opens, and the other one has all calls. */
  async function callsOfOneProvider(more: number): Promise<void> {
    const providers = [stage.openai, stage.anthropic];
    await Promise.race(providers.map((provider) => provider.waitForCalls(provider.received.length + more)));
  }

  it('three times, it has an opening record for every call, and the next start closes what was left open', async () => {
    let serving = await stage.serve();
    await setUp(serving);

    for (const kill of [1, 2, 3]) {
      stage.openai.enqueue(...unreliable(100 * kill));
      const load = Array.from({ length: CALLERS }, (_, caller) =>
        askUntilRefused(serving, `k${kill}c${caller}`),
      );
      await callsOfOneProvider(60 + 25 * kill);

      serving.process.signal('SIGKILL');
      await Promise.all([serving.process.waitForEnd(), ...load]);

      expect(unrecorded()).toEqual([]);
      expect(stage.states()).toContain('open');
      stage.letDeadlinesPass();

      const startedAtMs = Date.now();
      serving = await stage.serve();
      expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
      expect(Date.now() - startedAtMs).toBeLessThan(10_000);
      expect(serving.welcome).not.toContain('SCHNEEAI_KEY=');
      await stage.untilAllAreClosed();
      await expectSettled(serving);
    }

    stage.openai.reset();
    const answered = await chat(serving, {});
    expect(answered.status).toBe(200);
    expect(stage.anthropic.received.length).toBeGreaterThan(0);
    const states = stage.database((connection) =>
      connection.prepare('select distinct state from interactions order by state').pluck().all(),
    );
    expect(states).toEqual(['interrupted', 'served']);
  });

  /** Whatever was running when it was killed: the wallet holds its credits less what the records cost, and nothing is held. */
  async function expectSettled(serving: ServingProcess): Promise<void> {
    const { costs, unknown } = stage.database(
      (connection) =>
        connection
          .prepare(
            `select sum(cost_micro_usd) as costs, count(*) filter (where cost_micro_usd is null) as unknown
             from interactions`,
          )
          .get() as { costs: number; unknown: number },
    );
    expect(unknown).toBe(0);
    expect(await stage.admin(serving, 'GET', '/tenants/demo/wallet')).toMatchObject({
      balance_micro_usd: CREDIT_MICRO_USD - costs,
      reserved_micro_usd: 0,
      spent_micro_usd: costs,
    });
    const verified = await stage.admin(serving, 'GET', '/tenants/demo/wallet/verify');
    expect(verified).toMatchObject({ consistent: true });
  }
});

describe('told to stop', () => {
  const STREAMED = { stream: true };

  async function stateOfTheOnlyRecord(): Promise<unknown> {
    return stage.database((connection) =>
      connection.prepare('select state, closed_at is not null as closed from interactions').all(),
    );
  }

  it('lets a running stream finish within the grace period, takes no other, and ends with 0', async () => {
    const serving = await stage.serve({ SCHNEEAI_SHUTDOWN_GRACE_MS: '20000' });
    await setUp(serving);
    stage.openai.setBehaviour({ kind: 'answer', text: 'one two three', holdAt: 1 });
    const response = await chat(serving, STREAMED);

    serving.process.signal('SIGTERM');
    await untilRefused(serving);
    stage.openai.release();

    const { content, done, error } = readStream(await response.text());
    expect({ content, done, error }).toEqual({ content: 'one two three', done: true, error: null });
    const end = await serving.process.waitForEnd();
    expect(end).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(await stateOfTheOnlyRecord()).toEqual([{ state: 'served', closed: 1 }]);
  });

  it('ends a stream that takes longer with an error event and a closed record, and ends with 0', async () => {
    const serving = await stage.serve({ SCHNEEAI_SHUTDOWN_GRACE_MS: '100' });
    await setUp(serving, miniFirst(timeouts({ idle_ms: 60_000, deadline_ms: 120_000 })));
    stage.openai.setBehaviour({ kind: 'answer', text: 'one two three', holdAt: 1 });
    const response = await chat(serving, STREAMED);

    serving.process.signal('SIGTERM');

    const { content, done, error } = readStream(await response.text());
    expect({ content, done }).toEqual({ content: 'one', done: false });
    expect(error).toMatchObject({ error: { message: expect.any(String) } });
    const end = await serving.process.waitForEnd();
    expect(end).toMatchObject({ code: 0, signal: null, errors: '' });
    expect(await stateOfTheOnlyRecord()).toEqual([{ state: 'partial', closed: 1 }]);
    expect((await stage.openai.waitForClose(0)).state).toBe('closed_by_peer');
    expect(stage.anthropic.received).toHaveLength(0);
  });
});
