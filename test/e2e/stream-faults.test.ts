import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { TestGateway, type Json } from '../support/gateway';
import {
  anthropicEvent,
  blockDelta,
  blockStart,
  blockStop,
  DONE,
  MESSAGE_START,
  messageEnd,
  openAiChunk,
  openAiEvent,
  PING,
  readStream,
} from '../support/gateway-events';
import { HAIKU, haikuFirst, MINI, miniFirst, only, timeouts } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [{ role: 'user' as const, content: 'Hi' }];
const stream = (model: string, more: object = {}) => gateway.chat({ model, messages, stream: true, ...more });

const raw = (...pieces: string[]): Behaviour => ({ kind: 'raw', pieces });
const OVERLOADED = anthropicEvent({ type: 'error', error: { type: 'overloaded_error', message: 'x' } });
const BUSY = openAiEvent({ error: { message: 'busy', type: 'server_error', code: 503 } });

describe('an error behind a harmless first frame (B22)', () => {
  it.each<[string, Behaviour]>([
    ['message_start, ping, error', raw(MESSAGE_START, PING, OVERLOADED)],
    [
      'message_start, an empty block, error',
      raw(MESSAGE_START, blockStart(0, { type: 'text', text: '' }), OVERLOADED),
    ],
  ])('of a Messages stream: %s', async (_frames, behaviour) => {
    await gateway.putPolicy(haikuFirst());
    gateway.anthropic.setBehaviour(behaviour);

    const { status, headers, text } = await stream('claude-haiku-4-5');
    const record = await gateway.record(headers.get('x-request-id'));

    expect(status).toBe(200);
    expect(readStream(text)).toMatchObject({ content: 'openai answers: Hi', done: true, error: null });
    expect(headers.get('x-schneeai-provider')).toBe('openai');
    expect(headers.get('x-schneeai-fallback-reason')).toBe('primary_stream_error');
    expect(record['ledger']).toMatchObject([
      {
        action: 'initial',
        provider: 'anthropic',
        status: 200,
        fault: 'server_error',
        code: 'overloaded',
      },
      { action: 'retry', provider: 'anthropic', status: 200, fault: 'server_error', stage: 'before_output' },
      { action: 'model_fallback', provider: 'openai', status: 200, outcome: 'served' },
    ]);
  });

  it.each<[string, Behaviour, object]>([
    [
      'the role, then an error',
      raw(openAiChunk({ role: 'assistant', content: '' }), BUSY),
      { fault: 'server_error' },
    ],
    ['an error at once', raw(BUSY), { fault: 'server_error' }],
    [
      'the role, then a reset',
      { kind: 'raw', pieces: [openAiChunk({ role: 'assistant', content: '' })], then: 'reset' },
      { fault: 'network', code: 'ECONNRESET' },
    ],
    [
      'the role, then a socket that closes',
      { kind: 'raw', pieces: [openAiChunk({ role: 'assistant', content: '' })], then: 'close' },
      { fault: 'network' },
    ],
  ])('of a Chat Completions stream: %s', async (_frames, behaviour, fault) => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour(behaviour);

    const { status, headers, text } = await stream('gpt-4o-mini');
    const record = await gateway.record(headers.get('x-request-id'));

    expect(status).toBe(200);
    expect(readStream(text)).toMatchObject({ content: 'anthropic answers: Hi', done: true, error: null });
    expect(headers.get('x-schneeai-fallback-reason')).toBe('primary_stream_error');
    expect((record['ledger'] as Json)[0]).toMatchObject({ status: 200, stage: 'before_output', ...fault });
    expect((record['ledger'] as Json).at(-1)).toMatchObject({ action: 'model_fallback', outcome: 'served' });
  });

  it('is followed by a retry where there is no fallback, and the caller sees one answer only', async () => {
    await gateway.putPolicy(only(MINI));
    gateway.openai.enqueue(raw(openAiChunk({ role: 'assistant', content: '' }), BUSY));

    const { text } = await stream('gpt-4o-mini');

    const { chunks, content, done } = readStream(text);
    expect(content).toBe('openai answers: Hi');
    expect(done).toBe(true);
    expect(
      chunks.filter(({ choices }) => choices![0]?.['delta']!['role'] === ('assistant' as never)),
    ).toHaveLength(1);
  });

  it('but behind output is the end: an error event, no [DONE], and nobody else is asked', async () => {
    await gateway.putPolicy(haikuFirst());
    const text =
      blockStart(0, { type: 'text', text: '' }) + blockDelta(0, { type: 'text_delta', text: 'He' });
    gateway.anthropic.setBehaviour(raw(MESSAGE_START, text, OVERLOADED));

    const answered = await stream('claude-haiku-4-5');
    const record = await gateway.record(answered.headers.get('x-request-id'));

    expect(answered.status).toBe(200);
    const seen = readStream(answered.text);
    expect(seen).toMatchObject({ content: 'He', done: false });
    expect(seen.error).toMatchObject({
      error: { code: 'provider_failed' },
      request_id: answered.headers.get('x-request-id'),
    });
    expect(gateway.openai.received).toHaveLength(0);
    expect(record).toMatchObject({ state: 'partial', attempts: 1, served: null });
  });
});

describe('comments and pings (B12)', () => {
  it('of a Chat Completions stream are no chunks, no output and no end', async () => {
    gateway.openai.setBehaviour(
      raw(
        ': waiting\n\n',
        ':\n',
        'data: : keepalive\n\n',
        'data:\n\n',
        'event: ping\ndata: {}\n\n',
        openAiChunk({ content: 'ok' }),
        openAiChunk({}, 'stop'),
        DONE,
      ),
    );

    const read = await gateway
      .client()
      .chat.completions.stream({ model: 'gpt-4o-mini', messages })
      .finalChatCompletion();

    expect(read.choices[0]).toMatchObject({ message: { content: 'ok' }, finish_reason: 'stop' });
    const { text } = await stream('gpt-4o-mini');
    expect(readStream(text)).toMatchObject({ content: 'ok', done: true, error: null });
  });

  it('of a Messages stream, and events of the future, are passed over', async () => {
    gateway.anthropic.setBehaviour(
      raw(
        MESSAGE_START + PING,
        anthropicEvent({ type: 'future_thing', much: 'more' }),
        blockStart(0, { type: 'text', text: '' }) + PING,
        blockDelta(0, { type: 'future_delta', hologram: 'x' }) + PING,
        blockDelta(0, { type: 'text_delta', text: 'ok' }) + PING,
        blockStop(0) + messageEnd('end_turn'),
      ),
    );

    const read = await gateway
      .client()
      .chat.completions.stream({ model: 'claude-haiku-4-5', messages })
      .finalChatCompletion();

    expect(read.choices[0]).toMatchObject({ message: { content: 'ok' }, finish_reason: 'stop' });
  });

  it('are not decisive: nothing is written before the output, and an error behind them leads on', async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour(raw(': waiting\n\n', 'event: ping\ndata: {}\n\n', BUSY));

    const { text } = await stream('gpt-4o-mini');

    expect(text.startsWith('data: {')).toBe(true);
    expect(readStream(text)).toMatchObject({ content: 'anthropic answers: Hi', done: true });
  });
});

describe('the index of tool calls (B15)', () => {
  const thinking = blockStart(0, { type: 'thinking', thinking: '', signature: '' }) + blockStop(0);
  const text =
    blockStart(1, { type: 'text', text: '' }) + blockDelta(1, { type: 'text_delta', text: 'Let me see.' });
  const toolA = blockStart(2, { type: 'tool_use', id: 'toolu_A', name: 'snow', input: {} });
  const toolB = blockStart(3, { type: 'tool_use', id: 'toolu_B', name: 'wind', input: {} });
  const part = (index: number, json: string) =>
    blockDelta(index, { type: 'input_json_delta', partial_json: json });
  const partsA = ['{"p":', '"Davos"', '}'].map((json) => part(2, json));
  const partsB = ['{"p":"Zer', 'matt"}'].map((json) => part(3, json));
  const [a1, a2, a3] = partsA as [string, string, string];
  const [b1, b2] = partsB as [string, string];
  const before = MESSAGE_START + thinking + text + blockStop(1);
  const end = blockStop(2) + blockStop(3) + messageEnd('tool_use');

  it.each([
    ['one after the other', before + toolA + a1 + a2 + a3 + toolB + b1 + b2 + end],
    ['interleaved', before + toolA + toolB + a1 + b1 + a2 + b2 + a3 + end],
    ['before the text', MESSAGE_START + toolA + toolB + a1 + b1 + a2 + a3 + b2 + text + end],
  ])('counts the calls and not the blocks: %s', async (_order, events) => {
    gateway.anthropic.setBehaviour(raw(events));

    const { text: body } = await stream('claude-haiku-4-5');
    const read = await gateway
      .client()
      .chat.completions.stream({ model: 'claude-haiku-4-5', messages })
      .finalChatCompletion();

    const deltas = readStream(body).chunks.flatMap(({ choices }) =>
      ((choices![0]?.['delta']!['tool_calls'] ?? []) as Json).map((call) => call),
    );
    expect(new Set(deltas.map(({ index }) => index))).toEqual(new Set([0, 1]));
    expect(deltas.filter((delta) => 'id' in delta)).toMatchObject([
      { index: 0, id: 'toolu_A', type: 'function', function: { name: 'snow' } },
      { index: 1, id: 'toolu_B', type: 'function', function: { name: 'wind' } },
    ]);
    expect(read.choices[0]!.finish_reason).toBe('tool_calls');
    expect(read.choices[0]!.message.tool_calls).toMatchObject([
      { id: 'toolu_A', function: { name: 'snow', arguments: '{"p":"Davos"}' } },
      { id: 'toolu_B', function: { name: 'wind', arguments: '{"p":"Zermatt"}' } },
    ]);
  });
});

describe('a stall after the first token (B32)', () => {
  const FIRST = openAiChunk({ content: 'A' });

  it.each<[string, Behaviour, string]>([
    ['silence', { kind: 'raw', pieces: [FIRST], then: 'stall' }, 'idle_timeout'],
    [
      'half an event and then silence',
      { kind: 'raw', pieces: [FIRST, 'data: {"choices":[{"ind'], then: 'stall' },
      'idle_timeout',
    ],
    [
      'pings for ever, which the deadline ends',
      {
        kind: 'answer',
        chunks: ['A'],
        interruption: { after: 1, by: 'pings', pingIntervalMs: 20 },
      },
      'deadline',
    ],
  ])('ends in an error event: %s', async (_stall, behaviour, cause) => {
    await gateway.putPolicy(miniFirst(timeouts({ idle_ms: 80, deadline_ms: 300 })));
    gateway.openai.setBehaviour(behaviour);

    const { status, headers, text } = await stream('gpt-4o-mini');
    const closed = await gateway.openai.waitForClose(0);
    const record = await gateway.record(headers.get('x-request-id'));

    expect(status).toBe(200);
    expect(readStream(text)).toMatchObject({ content: 'A', done: false });
    expect(readStream(text).error).not.toBeNull();
    expect(closed.state).toBe('closed_by_peer');
    expect(record).toMatchObject({ state: 'partial', attempts: 1 });
    expect(record['ledger']).toMatchObject([{ stage: 'after_output', aborted_by: cause }]);
    expect(gateway.anthropic.received).toHaveLength(0);
  });

  it('before any output is no success either', async () => {
    await gateway.putPolicy(only(MINI, timeouts({ stream_gate_ms: 40, deadline_ms: 150 })));
    gateway.openai.setBehaviour({ kind: 'raw', pieces: [], then: 'stall' });

    const { headers, text } = await stream('gpt-4o-mini');
    const record = await gateway.record(headers.get('x-request-id'));

    expect(text.startsWith(': ')).toBe(true);
    expect(readStream(text)).toMatchObject({ content: '', done: false, chunks: [] });
    expect(readStream(text).error).toMatchObject({ error: { code: 'provider_timeout' } });
    expect(record).toMatchObject({ state: 'failed', error_code: 'provider_timeout' });
  });

  it.each<[string, Behaviour, object]>([
    [
      'silence after a token',
      { kind: 'raw', pieces: [FIRST], then: 'stall' },
      { state: 'partial', ledger: [{ stage: 'after_output', aborted_by: 'idle_timeout' }] },
    ],
    [
      'half an event',
      { kind: 'raw', pieces: [FIRST, 'data: {"choices":[{"ind'], then: 'stall' },
      { state: 'partial', ledger: [{ stage: 'after_output', aborted_by: 'idle_timeout' }] },
    ],
    [
      'pings for ever',
      { kind: 'answer', chunks: ['A'], interruption: { after: 1, by: 'pings', pingIntervalMs: 100 } },
      { state: 'partial', ledger: [{ stage: 'after_output', aborted_by: 'deadline' }] },
    ],
    [
      'headers and nothing else',
      { kind: 'raw', pieces: [], then: 'stall' },
      { state: 'failed', ledger: [{ stage: 'before_output', aborted_by: 'deadline' }] },
    ],
  ])('of 30 streams at once keeps nobody else waiting: %s', async (_stall, behaviour, ending) => {
    await gateway.putPolicy(miniFirst(timeouts({ stream_gate_ms: 300, idle_ms: 1_000, deadline_ms: 3_000 })));
    gateway.openai.enqueue(...Array<Behaviour>(30).fill(behaviour));
    const running = Array.from({ length: 30 }, () => stream('gpt-4o-mini'));
    let ended = 0;
    for (const one of running) void one.then(() => (ended += 1));
    await gateway.openai.waitForCalls(30);

    const normal = await gateway.chat({ model: 'gpt-4o-mini', messages });
    const endedBefore = ended;
    const stalled = await Promise.all(running);
    const records = await Promise.all(
      stalled.map(({ headers }) => gateway.record(headers.get('x-request-id'))),
    );

    expect(normal.status).toBe(200);
    expect(endedBefore).toBe(0);
    expect(gateway.openai.received.slice(0, 30).map(({ state }) => state)).toEqual(
      Array<string>(30).fill('closed_by_peer'),
    );
    const seen = stalled.map(({ text }) => readStream(text));
    expect(seen.every(({ done, error }) => !done && error !== null)).toBe(true);
    for (const record of records) expect(record).toMatchObject({ attempts: 1, ...ending });
    expect(gateway.anthropic.received).toHaveLength(0);
  });
});

describe.each([
  ['openai', MINI],
  ['anthropic', HAIKU],
] as const)('a %s stream that stops without an end', (wire, target) => {
  it.each(['reset', 'close', 'end'] as const)(
    'after output by %s is partial, and never complete',
    async (by) => {
      await gateway.putPolicy(only(target));
      gateway[wire].setBehaviour({ kind: 'answer', interruption: { after: 2, by } });

      const { headers, text } = await stream(target.model);
      const record = await gateway.record(headers.get('x-request-id'));

      expect(readStream(text).done).toBe(false);
      expect(readStream(text).error).not.toBeNull();
      expect(record).toMatchObject({ state: 'partial', attempts: 1 });
    },
  );

  it.each(['comments_only', 'done_only', 'html', 'empty', 'non_json_event'] as const)(
    'before output with %s is malformed',
    async (form) => {
      await gateway.putPolicy(only(target));
      gateway[wire].setBehaviour({ kind: 'garbage', form });

      const { status, body } = await stream(target.model);

      expect(status).toBe(502);
      expect(body['error']).toMatchObject({ code: 'provider_malformed' });
    },
  );
});

it('holds the whole answer where the policy says so, and survives a break in its middle', async () => {
  await gateway.putPolicy(miniFirst({ commit_on: 'complete' }));
  gateway.openai.setBehaviour({ kind: 'answer', interruption: { after: 2, by: 'close' } });

  const { text } = await stream('gpt-4o-mini');

  expect(readStream(text)).toMatchObject({ content: 'anthropic answers: Hi', done: true, error: null });
});
