import Anthropic from '@anthropic-ai/sdk';
import { SimulatedProvider } from '../../../../src/infra/simulator/simulated-provider';
import { rawCall } from '../raw-call';

const QUESTION = {
  model: 'claude-s',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Snow in Davos?' }],
};
const snow = tool('snow_depth');
const wind = tool('wind_speed');

function tool(name: string): Anthropic.Tool {
  return {
    name,
    input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  };
}

describe('anthropic wire', () => {
  let provider: SimulatedProvider;
  let client: Anthropic;

  beforeAll(async () => {
    provider = await SimulatedProvider.start({ wire: 'anthropic', name: 'Gletscher', apiKey: 'sk-right' });
    client = new Anthropic({ apiKey: 'sk-right', baseURL: provider.baseUrl, maxRetries: 0 });
  });
  beforeEach(() => provider.reset());
  afterAll(() => provider.stop());

  const streamed = async (extra: object = {}): Promise<Anthropic.RawMessageStreamEvent[]> => {
    const events: Anthropic.RawMessageStreamEvent[] = [];
    for await (const event of await client.messages.create({ ...QUESTION, ...extra, stream: true })) {
      events.push(event);
    }
    return events;
  };

  it('answers a text made from the question, with deterministic usage', async () => {
    const { data, request_id } = await client.messages.create(QUESTION).withResponse();

    expect(data).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-s',
      content: [{ type: 'text', text: 'Gletscher answers: Snow in Davos?' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 4, output_tokens: 9 },
    });
    expect(request_id).toBe(provider.received[0]?.requestId);
  });

  it('streams the whole sequence of events, each with its name', async () => {
    const body = { ...QUESTION, stream: true };
    const headers = { 'x-api-key': 'sk-right', 'anthropic-version': '2023-06-01' };
    const { text } = await rawCall(provider, body, { headers });

    const names = [...text.matchAll(/^event: (.*)$/gm)].map((match) => match[1]);
    const types = [...text.matchAll(/^data: (.*)$/gm)].map(
      (match) => (JSON.parse(match[1] ?? '') as { type: string }).type,
    );
    expect(names).toEqual(types);
    expect(names.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'ping']);
    expect(names.slice(3, -3)).toEqual(Array(5).fill('content_block_delta'));
    expect(names.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
  });

  it('reports usage at the start, and the cumulative usage at the end', async () => {
    const events = await streamed();

    expect(events[0]).toMatchObject({
      message: { content: [], usage: { input_tokens: 4, output_tokens: 1 } },
    });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 4, output_tokens: 9 },
    });
  });

  it('folds into the same message streamed and unstreamed', async () => {
    provider.setBehaviour({
      kind: 'answer',
      reasoning: 'Deep.',
      text: '雪が降る🌨です',
      toolCalls: [{ name: 'a', arguments: { 町: '札幌' } }, { name: 'b' }],
    });

    const whole = await client.messages.create(QUESTION);
    const folded = await client.messages.stream(QUESTION).finalMessage();

    const withoutIds = (message: Anthropic.Message): object[] =>
      message.content.map((block) => ({ ...block, id: undefined }));
    expect(withoutIds(folded)).toEqual(withoutIds(whole));
    expect(folded.stop_reason).toBe('tool_use');
    expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
  });

  it.each<[string, object, string[]]>([
    ['every tool that the question names', {}, ['snow_depth', 'wind_speed']],
    [
      'one tool without parallel calls',
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      ['snow_depth'],
    ],
    ['the forced tool', { tool_choice: { type: 'tool', name: 'wind_speed' } }, ['wind_speed']],
    ['no tool when the choice is none', { tool_choice: { type: 'none' } }, []],
  ])('calls %s', async (_, extra, names) => {
    const messages = [{ role: 'user' as const, content: 'Use snow_depth and wind_speed.' }];
    const message = await client.messages
      .stream({ ...QUESTION, messages, tools: [snow, wind], ...extra })
      .finalMessage();

    const calls = message.content.filter((block) => block.type === 'tool_use');
    expect(calls.map((call) => [call.name, call.input])).toEqual(
      names.map((name) => [name, { place: 'sample' }]),
    );
    expect(new Set(calls.map((call) => call.id)).size).toBe(names.length);
  });

  it('quotes tool results once they are there', async () => {
    const message = await client.messages.create({
      ...QUESTION,
      tools: [snow],
      messages: [
        ...QUESTION.messages,
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'snow_depth', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '12 cm' }] },
      ],
    });

    expect(message.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('12 cm') as string,
    });
  });

  it('answers JSON that satisfies the asked schema', async () => {
    const schema = {
      type: 'object',
      properties: { depth: { type: 'integer' } },
      required: ['depth'],
      additionalProperties: false,
    };
    const message = await client.messages.create({
      ...QUESTION,
      output_config: { format: { type: 'json_schema', schema } },
    });

    expect(message.content).toEqual([{ type: 'text', text: '{"depth":1}' }]);
  });

  it.each<[string, object, object]>([
    ['the token limit', { max_tokens: 2 }, { stop_reason: 'max_tokens', content: [{ text: 'Gletsche' }] }],
    [
      'a stop sequence',
      { stop_sequences: [' Snow'] },
      { stop_reason: 'stop_sequence', stop_sequence: ' Snow' },
    ],
  ])('cuts the text at %s', async (_, extra, expected) => {
    const message = await client.messages.create({ ...QUESTION, ...extra });

    expect(message).toMatchObject(expected);
  });

  it('refuses as scripted, with its disjoint usage buckets', async () => {
    const usage = { inputTokens: 40, cacheWriteTokens: 2000, cacheReadTokens: 10000, outputTokens: 100 };
    provider.enqueue({ kind: 'answer', refusal: 'I would rather not.', usage });
    const message = await client.messages.create(QUESTION);

    expect(message).toMatchObject({
      stop_reason: 'refusal',
      content: [],
      usage: {
        input_tokens: 40,
        cache_creation_input_tokens: 2000,
        cache_read_input_tokens: 10000,
        output_tokens: 100,
      },
    });
    expect(provider.charges).toMatchObject({ inputTokens: 12040, outputTokens: 100 });
  });

  it('lists models', async () => {
    const models = await client.models.list();

    expect(models.data.map((model) => model.id)).toContain('claude-haiku-4-5');
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['another key', { 'x-api-key': 'sk-wrong' }, 401, 'invalid x-api-key'],
    ['another bearer token', { authorization: 'Bearer sk-wrong' }, 401, 'Invalid bearer token'],
    ['a key in a foreign header', { 'api-key': 'sk-right' }, 401, 'x-api-key header is required'],
    ['no version', { 'x-api-key': 'sk-right', 'anthropic-version': '' }, 400, 'anthropic-version'],
  ])('refuses %s', async (_, given, status, message) => {
    const answer = await rawCall(provider, QUESTION, {
      headers: { 'anthropic-version': '2023-06-01', ...given },
    });

    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
    expect(JSON.parse(answer.text)).toMatchObject({
      type: 'error',
      request_id: answer.headers['request-id'],
    });
  });
});
