import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { TestGateway, type Answered } from '../support/gateway';
import { MINI, miniFirst, only, timeouts, type PolicyBody } from '../support/gateway-policy';
import { SleeplessTime } from '../support/gateway-time';

const time = new SleeplessTime();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ time });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const HERD = 50;
const OPEN_MS = 60_000;
const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };
const DOWN: Behaviour = { kind: 'status', status: 503 };
const LIMITS: PolicyBody = { retry: { max_retries: 0 }, ...timeouts({ headers_ms: 3_000 }) };

const TRIALS: readonly (readonly [string, Behaviour, string, number])[] = [
  ['(i) is healthy again', { kind: 'answer', holdAt: 'before_headers' }, 'closed', 200],
  ['(ii) is still down', { kind: 'status', status: 503, holdAt: 'before_headers' }, 'open', 502],
  ['(iii) hangs', { kind: 'hang' }, 'open', 504],
];

async function circuitOfPrimary(): Promise<unknown> {
  const { routes } = (await gateway.admin('GET', '/health')).body;
  return routes!.find(({ offering }) => String(offering) === 'mini')!['circuit']!['state'];
}

/** Three failures, and then the whole open time. */
async function breakPrimary(): Promise<void> {
  gateway.openai.setBehaviour(DOWN);
  for (let failure = 0; failure < 3; failure += 1) await gateway.chat(ASK);
  expect(await circuitOfPrimary()).toBe('open');
  expect(gateway.openai.received).toHaveLength(3);
  time.skip(OPEN_MS);
}

/** Fifty callers at the same moment, in the order in which they were answered. */
async function stampede(): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  const ask = async (): Promise<void> => {
    const answer = await gateway.chat(ASK);
    answered.push(answer);
    if (answered.length < HERD - 1) return;
    // The primary takes its time: until all others have their answer.
    await gateway.openai.waitForCalls(4);
    gateway.openai.release();
  };
  await Promise.all(Array.from({ length: HERD }, ask));
  return answered;
}

describe.each(TRIALS)('fifty requests at once for a primary that %s (B28)', (_what, then, circuit, alone) => {
  it('try it once, and the others have the fallback at once', async () => {
    await gateway.putPolicy(miniFirst(LIMITS));
    await breakPrimary();
    gateway.openai.setBehaviour(then);

    const answered = await stampede();

    expect(gateway.openai.received).toHaveLength(4);
    expect(answered.map(({ status }) => status)).toEqual(Array<number>(HERD).fill(200));
    const reasons = answered.map(({ headers }) => headers.get('x-schneeai-fallback-reason'));
    // Who tried waited for the primary, and so was the last to be answered.
    expect(reasons.slice(0, HERD - 1)).toEqual(Array<string>(HERD - 1).fill('primary_circuit_open'));
    expect(reasons[HERD - 1]).not.toBe('primary_circuit_open');
    expect(await circuitOfPrimary()).toBe(circuit);
  });

  it('without a fallback try it once, and the others get a fast 503 that says when to come back', async () => {
    await gateway.putPolicy(only(MINI, LIMITS));
    await breakPrimary();
    gateway.openai.setBehaviour(then);

    const answered = await stampede();

    expect(gateway.openai.received).toHaveLength(4);
    const refused = answered.slice(0, HERD - 1);
    expect(refused.map(({ status }) => status)).toEqual(Array<number>(HERD - 1).fill(503));
    expect(new Set(refused.map(({ body }) => String(body['error']!['code'])))).toEqual(
      new Set(['no_eligible_route']),
    );
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
    expect(answered[HERD - 1]!.status).toBe(alone);
    expect(await circuitOfPrimary()).toBe(circuit);
  });
});

it('stays shut for a whole period after a trial that failed', async () => {
  await gateway.putPolicy(miniFirst(LIMITS));
  await breakPrimary();
  await gateway.chat(ASK);
  time.skip(OPEN_MS - 5_000);

  await gateway.chat(ASK);
  const during = gateway.openai.received.length;
  time.skip(5_000);
  await gateway.chat(ASK);

  expect(during).toBe(4);
  expect(gateway.openai.received).toHaveLength(5);
});
