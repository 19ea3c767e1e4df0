import { SimulatedProvider } from '../../../src/infra/simulator/simulated-provider';
import { headersOf, openCall, rawCall } from './raw-call';

const QUESTION = { model: 'm', messages: [{ role: 'user', content: 'a b c' }] };
const STREAM = { ...QUESTION, stream: true };

describe('simulated provider', () => {
  let provider: SimulatedProvider;

  beforeEach(async () => {
    provider = await SimulatedProvider.start({ wire: 'openai', name: 'Firn', models: ['m'] });
  });
  afterEach(() => provider.stop());

  it('keeps what it received', async () => {
    await rawCall(provider, QUESTION, { headers: { authorization: 'Bearer k', 'x-mark': '7' } });

    expect(provider.received).toHaveLength(1);
    expect(provider.received[0]).toMatchObject({
      index: 0,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k', 'x-mark': '7' },
      bodyText: JSON.stringify(QUESTION),
      body: QUESTION,
      state: 'finished',
    });
  });

  it('uses queued behaviours once each, then the standing one', async () => {
    provider.setBehaviour({ kind: 'status', status: 500 });
    provider.enqueue({ kind: 'status', status: 429 }, { kind: 'answer' });

    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await rawCall(provider, QUESTION)).status);

    expect(statuses).toEqual([429, 200, 500, 500]);
  });

  it('does with each call what a script says of it', async () => {
    const scripted = await SimulatedProvider.start({
      wire: 'openai',
      name: 'Firn',
      script: ({ bodyText }) =>
        bodyText.includes('a b c') ? { kind: 'answer' } : { kind: 'status', status: 503 },
    });
    const other = { ...QUESTION, messages: [{ role: 'user', content: 'd' }] };

    const statuses = [];
    for (const question of [other, QUESTION, other]) {
      statuses.push((await rawCall(scripted, question)).status);
    }
    await scripted.stop();

    expect(statuses).toEqual([503, 200, 503]);
  });

  it('lets the model list fail with the standing behaviour, and leaves the queue to chats', async () => {
    const models = { method: 'GET', path: '/models' };
    provider.enqueue({ kind: 'status', status: 429 });
    expect((await rawCall(provider, undefined, models)).status).toBe(200);
    provider.setBehaviour({ kind: 'status', status: 503 });

    expect((await rawCall(provider, undefined, models)).status).toBe(503);
    expect((await rawCall(provider, QUESTION)).status).toBe(429);
  });

  it('answers 404 for unknown models and URLs', async () => {
    const model = await rawCall(provider, { ...QUESTION, model: 'other' });
    const url = await rawCall(provider, QUESTION, { path: '/completions' });

    expect(model).toMatchObject({ status: 404 });
    expect(model.text).toContain('model_not_found');
    expect(url).toMatchObject({ status: 404 });
    expect(url.text).toContain('Invalid URL (POST /v1/completions)');
  });

  it('sees when a caller leaves in the middle of a stream, and bills what was said', async () => {
    provider.enqueue({ kind: 'answer', holdAt: 2 });
    const call = openCall(provider, STREAM);
    const response = await headersOf(call);
    response.once('error', () => undefined);
    for await (const chunk of response) if (String(chunk).includes('answers')) break;
    call.destroy();
    const closed = await provider.waitForClose(0);

    expect(closed).toMatchObject({ state: 'closed_by_peer', closedAtMs: expect.any(Number) });
    expect(await provider.waitForCharges(1)).toMatchObject({
      calls: [{ callIndex: 0, extent: 'partial' }],
      outputTokens: 4,
    });
  });

  it('writes no faster than its caller reads', async () => {
    const total = 32_000_000;
    provider.enqueue({ kind: 'answer', chunks: Array<string>(32).fill('x'.repeat(total / 32)) });
    const response = await headersOf(openCall(provider, STREAM));
    response.pause();
    const slow = await provider.waitForFullSocket(0);
    // Other calls are served meanwhile, which gives a writer that doesn't wait the time to write everything.
    for (let call = 0; call < 5; call += 1) await rawCall(provider, QUESTION);
    expect(slow.bytesWritten).toBeLessThan(total);

    let received = 0;
    for await (const bytes of response) received += (bytes as Buffer).length;

    expect(received).toBe(slow.bytesWritten);
    expect(slow.state).toBe('finished');
  });

  it('counts its connections, and stops with calls still open', async () => {
    provider.setBehaviour({ kind: 'hang' });
    const answers = [rawCall(provider, QUESTION), rawCall(provider, QUESTION)];
    await provider.waitForCalls(2);
    expect(provider.openConnections).toBe(2);
    await provider.stop();

    expect((await Promise.all(answers)).map((answer) => answer.brokenBy)).toEqual([
      'ECONNRESET',
      'ECONNRESET',
    ]);
    expect(provider.openConnections).toBe(0);
    expect(provider.received[0]?.state).toBe('closed_by_provider');
  });

  it('forgets everything on reset but keeps its ids unique', async () => {
    const first = await rawCall(provider, QUESTION);
    provider.setBehaviour({ kind: 'hang' });
    provider.reset();
    expect([provider.received, provider.charges.calls]).toEqual([[], []]);

    const second = await rawCall(provider, QUESTION);
    expect(second.status).toBe(200);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('tells of a behaviour that cannot be performed, and lives on', async () => {
    provider.enqueue({ kind: 'status', status: 503, headers: { 'not a header': '1' } });
    const answer = await rawCall(provider, QUESTION);

    expect(answer).toMatchObject({ status: 500, text: expect.stringContaining('could not do this') });
    expect((await rawCall(provider, QUESTION)).status).toBe(200);
  });

  it('gives the same ids in every run', async () => {
    const twin = await SimulatedProvider.start({ wire: 'openai', name: 'Firn' });
    const [own, other] = await Promise.all([rawCall(provider, QUESTION), rawCall(twin, QUESTION)]);
    await twin.stop();

    expect(other.headers['x-request-id']).toBe(own.headers['x-request-id']);
  });
});
