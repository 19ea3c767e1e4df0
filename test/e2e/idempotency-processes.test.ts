import type { ServingProcess } from '../support/gateway-process';
import { ProcessStage } from '../support/process-stage';

/** DESIGN §7: (tenant, key) is one interaction, in however many processes, and whatever becomes of them. */

jest.setTimeout(60_000);

const ROUNDS = 50;

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.start();
});
afterAll(() => stage.stop());
beforeEach(() => stage.clear());
afterEach(() => stage.endAll());

type Got = Readonly<{ status: number; requestId: string; replayed: boolean; text: string }>;

async function ask(serving: ServingProcess, idempotencyKey: string): Promise<Got> {
  const response = await stage.chat(serving, {}, { 'idempotency-key': idempotencyKey });
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    replayed: response.headers.has('idempotent-replayed'),
    text: await response.text(),
  };
}

it('is one provider call, though two processes are asked at the same instant', async () => {
  const first = await stage.serve();
  await stage.setUp(first);
  const second = await stage.serve();

  for (let round = 1; round <= ROUNDS; round += 1) {
    const answers = await Promise.all([ask(first, `round-${round}`), ask(second, `round-${round}`)]);

    expect(stage.openai.received).toHaveLength(round);
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
  const killed = await stage.serve();
  await stage.setUp(killed);
  stage.openai.setBehaviour({ kind: 'answer', holdAt: 'before_headers' });
  const cut = ask(killed, 'order-1').catch(String);
  await stage.openai.waitForCalls(1);
  killed.process.signal('SIGKILL');
  await Promise.all([killed.process.waitForEnd(), cut]);
  stage.openai.reset();

  const early = await stage.serve();
  expect(await ask(early, 'order-1')).toMatchObject({ status: 409 });
  expect(stage.openai.received).toHaveLength(0);
  early.process.signal('SIGKILL');
  await early.process.waitForEnd();
  stage.letDeadlinesPass();

  const later = await stage.serve();
  let again: Got;
  do again = await ask(later, 'order-1');
  while (again.status === 409);

  expect(again).toMatchObject({ status: 200, replayed: false });
  expect(stage.openai.received).toHaveLength(1);
  const { data } = await stage.admin(later, 'GET', '/audit/records');
  expect(data).toMatchObject([{ state: 'served' }, { state: 'interrupted' }]);
  expect(data![0]!['billable_id']).toBe(data![1]!['request_id']);
});
