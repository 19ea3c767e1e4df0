import { TestGateway } from '../support/gateway';
import { haikuFirst, miniFirst, timeouts } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** CASES B38: the provider's socket closes at once, nobody else is asked, and nothing counts against anyone. */
describe.each([
  { wire: 'openai', other: 'anthropic', model: 'gpt-4o-mini', offering: 'mini', policy: miniFirst },
  { wire: 'anthropic', other: 'openai', model: 'claude-haiku-4-5', offering: 'haiku', policy: haikuFirst },
] as const)('a caller who leaves while $wire', ({ wire, other, model, offering, policy }) => {
  const whole = { model, messages };
  const streamed = { model, messages, stream: true };

  async function expectCancelled(): Promise<void> {
    const record = await gateway.newestClosed();
    expect(record).toMatchObject({ state: 'cancelled', attempts: 1, served: null });
    expect(gateway[wire].received).toHaveLength(1);
    expect(gateway[other].received).toHaveLength(0);
    await expectHealthy();
  }

  async function expectHealthy(): Promise<void> {
    const { routes } = (await gateway.admin('GET', '/health')).body;
    const route = routes!.find((seen) => seen['offering'] === (offering as never));
    expect(route).toMatchObject({ circuit: { state: 'closed' }, window: { failures: 0 } });
  }

  it.each([
    ['whole', whole],
    ['streamed', streamed],
  ])('delays its headers closes the call, %s', async (_form, body) => {
    await gateway.putPolicy(policy());
    gateway[wire].setBehaviour({ kind: 'answer', holdAt: 'before_headers' });
    const { leave } = gateway.leavable(body);
    await gateway[wire].waitForCalls(1);

    leave();

    const leftAtMs = Date.now();
    const closed = await gateway[wire].waitForClose(0);
    expect(closed.state).toBe('closed_by_peer');
    expect(closed.closedAtMs! - leftAtMs).toBeLessThan(1_000);
    await expectCancelled();
  });

  it('streams closes the call and pays for what was said', async () => {
    await gateway.putPolicy(policy());
    gateway[wire].setBehaviour({ kind: 'answer', text: 'one two three four', holdAt: 3 });
    const { response, leave } = gateway.leavable(streamed);
    const reader = (await response).body!.getReader();
    let read = '';
    while (!read.includes('three')) read += Buffer.from((await reader.read()).value).toString();

    leave();

    expect((await gateway[wire].waitForClose(0)).state).toBe('closed_by_peer');
    await expectCancelled();
    const record = await gateway.newestClosed();
    expect(record['ledger']).toMatchObject([
      { outcome: 'failed', fault: 'cancelled', aborted_by: 'caller_gone', stage: 'after_output' },
    ]);
    expect(Number(record['usage']!['output_tokens'])).toBeGreaterThan(0);
    expect(Number(record['cost_micro_usd'])).toBeGreaterThan(0);
  });

  it('is still held back by the gate closes the call', async () => {
    await gateway.putPolicy(policy(timeouts({ stream_gate_ms: 20 })));
    gateway[wire].setBehaviour({ kind: 'answer', holdAt: 'preamble' });
    const { response, leave } = gateway.leavable(streamed);
    // The gate opens the response without having let anything through.
    expect((await response).status).toBe(200);

    leave();

    expect((await gateway[wire].waitForClose(0)).state).toBe('closed_by_peer');
    await expectCancelled();
  });

  it('has sent half of a whole answer closes the call', async () => {
    await gateway.putPolicy(policy());
    gateway[wire].setBehaviour({ kind: 'answer', interruption: { after: 0, by: 'stall' } });
    const { leave } = gateway.leavable(whole);
    await gateway[wire].waitForBytes(0, 10);

    leave();

    expect((await gateway[wire].waitForClose(0)).state).toBe('closed_by_peer');
    await expectCancelled();
  });

  it('is given time to recover is no reason to ask it again', async () => {
    const retry = { max_retries: 2, base_delay_ms: 60_000, max_delay_ms: 60_000 };
    await gateway.putPolicy(policy({ retry, ...timeouts({ deadline_ms: 300_000 }) }));
    gateway[wire].setBehaviour({ kind: 'status', status: 503 });
    const { leave } = gateway.leavable(whole);
    await gateway[wire].waitForClose(0);

    leave();

    const record = await gateway.newestClosed();
    expect(record).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(gateway[wire].received).toHaveLength(1);
    expect(gateway[other].received).toHaveLength(0);
  });
});
