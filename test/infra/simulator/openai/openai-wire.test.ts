import OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionTool } from 'openai/resources/chat/completions';
import { SimulatedProvider } from '../../../../src/infra/simulator/simulated-provider';
import { rawCall } from '../raw-call';

const QUESTION = { model: 'gpt-s', messages: [{ role: 'user' as const, content: 'Snow in Davos?' }] };
const snow = tool('snow_depth', { place: { type: 'string' }, days: { type: 'integer' } }, ['place', 'days']);
const wind = tool('wind_speed', { place: { type: 'string' } }, ['place']);

function tool(name: string, properties: object, required: string[]): ChatCompletionTool {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}

describe('openai wire', () => {
  let provider: SimulatedProvider;
  let client: OpenAI;

  beforeAll(async () => {
    provider = await SimulatedProvider.start({ wire: 'openai', name: 'Firn', apiKey: 'sk-right' });
    client = new OpenAI({ apiKey: 'sk-right', baseURL: provider.baseUrl, maxRetries: 0 });
  });
  beforeEach(() => provider.reset());
  afterAll(() => provider.stop());

  const streamed = async (extra: object = {}): Promise<ChatCompletionChunk[]> => {
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of await client.chat.completions.create({ ...QUESTION, ...extra, stream: true })) {
      chunks.push(chunk);
    }
    return chunks;
  };
  const textOf = (chunks: ChatCompletionChunk[]): string =>
    chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

  it('answers a text made from the question, with deterministic usage', async () => {
    const answer = await client.chat.completions.create(QUESTION);

    expect(answer).toMatchObject({ object: 'chat.completion', model: 'gpt-s' });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Firn answers: Snow in Davos?' },
    });
    expect(answer.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 7, total_tokens: 11 });
  });

  it('gives every call its own ids', async () => {
    const first = await client.chat.completions.create(QUESTION).withResponse();
    const second = await client.chat.completions.create(QUESTION).withResponse();

    expect(first.data.id).not.toBe(second.data.id);
    expect(first.request_id).not.toBe(second.request_id);
    expect(second.request_id).toBe(provider.received[1]?.requestId);
    expect(first.response.headers.get('openai-version')).toBe('2020-10-01');
  });

  it('streams a role chunk, one chunk per word and a finish chunk under one id', async () => {
    const chunks = await streamed();

    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: 'assistant', content: '' });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content).slice(1, -1)).toEqual([
      ...['Firn', ' answers:', ' Snow', ' in', ' Davos?'],
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  it('ends a stream with usage if asked, and always with [DONE]', async () => {
    const body = { ...QUESTION, stream: true, stream_options: { include_usage: true } };
    const { text } = await rawCall(provider, body, { headers: { authorization: 'Bearer sk-right' } });

    const events = text
      .trimEnd()
      .split('\n\n')
      .map((event) => event.replace('data: ', ''));
    expect(events.at(-1)).toBe('[DONE]');
    expect(JSON.parse(events.at(-2) ?? '')).toMatchObject({ choices: [], usage: { completion_tokens: 7 } });
    expect(JSON.parse(events[0] ?? '')).toMatchObject({ usage: null });
  });

  it('calls the first tool with arguments that its schema wants', async () => {
    const answer = await client.chat.completions.create({ ...QUESTION, tools: [snow, wind] });

    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { type: 'function', function: { name: 'snow_depth', arguments: '{"place":"sample","days":1}' } },
        ],
      },
    });
  });

  it.each<[string, object, string[]]>([
    ['every tool that the question names', {}, ['snow_depth', 'wind_speed']],
    ['one tool without parallel calls', { parallel_tool_calls: false }, ['snow_depth']],
    [
      'the forced tool',
      { tool_choice: { type: 'function', function: { name: 'wind_speed' } } },
      ['wind_speed'],
    ],
    ['no tool when the choice is none', { tool_choice: 'none' }, []],
  ])('calls %s', async (_, extra, names) => {
    const messages = [{ role: 'user', content: 'Use snow_depth and wind_speed.' }];
    const chunks = await streamed({ messages, tools: [snow, wind], ...extra });

    const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    const opened = deltas.filter((delta) => delta.id !== undefined);
    expect(opened.map((delta) => delta.function?.name)).toEqual(names);
    expect(opened.map((delta) => delta.index)).toEqual(names.map((_name, index) => index));
    names.forEach((_name, index) => {
      const parts = deltas.filter((delta) => delta.index === index).map((delta) => delta.function?.arguments);
      expect(JSON.parse(parts.join(''))).toMatchObject({ place: 'sample' });
    });
  });

  it('quotes tool results once they are there', async () => {
    const answer = await client.chat.completions.create({
      model: 'gpt-s',
      tools: [snow],
      messages: [
        ...QUESTION.messages,
        {
          role: 'assistant',
          tool_calls: [{ id: 't1', type: 'function', function: { name: 'snow_depth', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 't1', content: '12 cm' },
      ],
    });

    expect(answer.choices[0]?.message.content).toContain('12 cm');
  });

  it('answers JSON that satisfies the asked schema', async () => {
    const schema = {
      type: 'object',
      properties: { depth: { type: 'integer' }, unit: { enum: ['cm'] } },
      required: ['depth', 'unit'],
    };
    const answer = await client.chat.completions.create({
      ...QUESTION,
      response_format: { type: 'json_schema', json_schema: { name: 'snow', schema } },
    });

    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ depth: 1, unit: 'cm' });
  });

  it.each<[string, object, object]>([
    [
      'the token limit',
      { max_completion_tokens: 3 },
      { finish_reason: 'length', message: { content: 'Firn answers' } },
    ],
    [
      'a stop sequence',
      { stop: [' Snow'] },
      { finish_reason: 'stop', message: { content: 'Firn answers:' } },
    ],
  ])('cuts the text at %s', async (_, extra, choice) => {
    const answer = await client.chat.completions.create({ ...QUESTION, ...extra });

    expect(answer.choices[0]).toMatchObject(choice);
  });

  it('answers as many choices as asked, and bills them all', async () => {
    const answer = await client.chat.completions.create({ ...QUESTION, n: 2 });

    expect(answer.choices.map((choice) => choice.index)).toEqual([0, 1]);
    expect(answer.usage?.completion_tokens).toBe(14);
    expect(provider.charges).toMatchObject({ inputTokens: 4, outputTokens: 14 });
  });

  it('says exactly what the script says', async () => {
    provider.setBehaviour({
      kind: 'answer',
      chunks: ['雪が', '降る🌨'],
      reasoning: 'hm',
      toolCalls: [{ id: 'call_A', name: 'snow', arguments: '{broken' }],
      finishReason: 'eos',
      usage: { inputTokens: 2040, cacheReadTokens: 10000, outputTokens: 100 },
      model: 'gpt-s-2026',
    });

    const whole = await client.chat.completions.create(QUESTION);
    const chunks = await streamed();

    expect(whole).toMatchObject({
      model: 'gpt-s-2026',
      usage: { prompt_tokens: 12040, total_tokens: 12140 },
    });
    expect(whole.usage?.prompt_tokens_details?.cached_tokens).toBe(10000);
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'eos',
      message: {
        content: '雪が降る🌨',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'call_A', function: { arguments: '{broken' } }],
      },
    });
    expect(textOf(chunks)).toBe('雪が降る🌨');
    expect(chunks.filter((chunk) => chunk.choices[0]?.delta.content).length).toBe(2);
  });

  it('lists models', async () => {
    const models = await client.models.list();

    expect(models.data.map((model) => model.id)).toContain('gpt-4o-mini');
  });

  it('refuses another key as the real API does', async () => {
    const answer = await rawCall(provider, QUESTION, {
      headers: { authorization: 'Bearer sk-wrong-key-abcdef' },
    });

    expect(answer.status).toBe(401);
    expect(answer.text).toContain('"code":"invalid_api_key"');
    expect(answer.text).toContain('Incorrect API key provided: sk-wrong');
    expect(answer.text).not.toContain('sk-wrong-key-abcdef');
  });
});
