import OpenAI from 'openai';
import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { TestGateway } from '../support/gateway';
import { haikuFirst, miniFirst, timeouts, type PolicyBody } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

/** How soon everything has to stop (CASES B38), milliseconds. */
const AT_ONCE_MS = 100;
/** A busy machine delays everybody now and then; a gateway that waits for something does so each time. */
const ROUNDS = 3;

const SIDES = [
  { wire: 'openai', other: 'anthropic', model: 'gpt-4o-mini', policy: miniFirst },
  { wire: 'anthropic', other: 'openai', model: 'claude-haiku-4-5', policy: haikuFirst },
] as const;
type Wire = (typeof SIDES)[number]['wire'];

/** An official client in the middle of its call. `over` resolves with what it threw. */
type Caller = Readonly<{
  chunks: readonly string[];
  begun: Promise<void>;
  over: Promise<unknown>;
  leave: () => void;
}>;

function call(model: string, form: 'whole' | 'streamed'): Caller {
  const leaving = new AbortController();
  const chunks: string[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ask = { model, messages: [{ role: 'user' as const, content: 'Hi' }] };
  const run = async (): Promise<void> => {
    const { completions } = gateway.client().chat;
    if (form === 'whole') return void (await completions.create(ask, { signal: leaving.signal }));
    const stream = await completions.create({ ...ask, stream: true }, { signal: leaving.signal });
    begin();
    for await (const chunk of stream) chunks.push(chunk.choices[0]?.delta.content ?? '');
  };
  const over = run().catch((error: unknown) => error);
  return { chunks, begun, over, leave: () => leaving.abort() };
}

type Moment = Readonly<{
  name: string;
  form: 'whole' | 'streamed';
  behaviour: Behaviour;
  changes?: PolicyBody;
  reached: (wire: Wire, caller: Caller) => Promise<unknown>;
}>;

const arrived = (wire: Wire): Promise<unknown> => gateway[wire].waitForCalls(1);

const DELAYED: Behaviour = { kind: 'answer', delayMs: 2_000 };
const MOMENTS: readonly Moment[] = [
  { name: '(i) before whole headers', form: 'whole', behaviour: DELAYED, reached: arrived },
  { name: '(i) before streamed headers', form: 'streamed', behaviour: DELAYED, reached: arrived },
  {
    name: '(ii) after three chunks',
    form: 'streamed',
    behaviour: { kind: 'answer', text: 'one two three four five six seven eight nine ten', chunkDelayMs: 50 },
    reached: async (wire, { chunks }) => {
      for (let bytes = 1; chunks.filter((text) => text !== '').length < 3;) {
        bytes = (await gateway[wire].waitForBytes(0, bytes)).bytesWritten + 1;
      }
    },
  },
  {
    name: '(iv) while the gate holds frames',
    form: 'streamed',
    behaviour: { kind: 'answer', holdAt: 'preamble' },
    changes: timeouts({ stream_gate_ms: 20 }),
    reached: (_wire, { begun }) => begun,
  },
  {
    name: '(v) with half of a whole answer read',
    form: 'whole',
    behaviour: { kind: 'answer', interruption: { after: 0, by: 'stall' } },
    reached: (wire) => gateway[wire].waitForBytes(0, 10),
  },
];

/** (iii): a backoff that outlasts every test. */
const IN_BACKOFF: Moment = {
  name: '(iii) during the backoff',
  form: 'whole',
  behaviour: { kind: 'status', status: 503 },
  changes: {
    retry: { max_retries: 2, base_delay_ms: 60_000, max_delay_ms: 60_000 },
    ...timeouts({ deadline_ms: 300_000 }),
  },
  reached: (wire) => gateway[wire].waitForClose(0),
};

describe.each(SIDES)('an official client that leaves $wire (B38)', ({ wire, other, model, policy }) => {
  /** Calls, leaves, and returns how many milliseconds later `seen` says that it was noticed. */
  async function leave(moment: Moment, seen: () => Promise<number>): Promise<number> {
    await gateway.reset();
    await gateway.putPolicy(policy(moment.changes));
    gateway[wire].setBehaviour(moment.behaviour);
    const caller = call(model, moment.form);
    await moment.reached(wire, caller);
    const leftAtMs = Date.now();
    caller.leave();
    const tookMs = (await seen()) - leftAtMs;
    // A stream that is left just ends for its reader.
    expect([undefined, OpenAI.APIUserAbortError]).toContain((await caller.over)?.constructor);
    return tookMs;
  }

  async function expectNothingElse(): Promise<void> {
    expect(await gateway.newestClosed()).toMatchObject({ state: 'cancelled', attempts: 1, served: null });
    expect(gateway[wire].received).toHaveLength(1);
    expect(gateway[other].received).toHaveLength(0);
    const { routes } = (await gateway.admin('GET', '/health')).body;
    for (const route of routes!) expect(route['window']).toMatchObject({ failures: 0 });
  }

  it.each(MOMENTS)('$name closes the provider’s socket within 100 ms', async (moment) => {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const closed = async (): Promise<number> => {
        const { state, closedAtMs } = await gateway[wire].waitForClose(0);
        expect(state).toBe('closed_by_peer');
        return closedAtMs!;
      };
      took.push(await leave(moment, closed));
      await expectNothingElse();
    }

    expect(Math.min(...took)).toBeLessThan(AT_ONCE_MS);
  });

  it('(iii) during the backoff ends it within 100 ms', async () => {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const recorded = async (): Promise<number> => {
        await gateway.newestClosed();
        return Date.now();
      };
      took.push(await leave(IN_BACKOFF, recorded));
      expect(await gateway.newestClosed()).toMatchObject({ state: 'cancelled', attempts: 1 });
      expect([gateway[wire].received.length, gateway[other].received.length]).toEqual([1, 0]);
    }

    expect(Math.min(...took)).toBeLessThan(AT_ONCE_MS);
  });
});
