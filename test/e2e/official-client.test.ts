import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { TestGateway } from '../support/gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const QUESTION: ChatCompletionMessageParam = { role: 'user', content: 'How deep is the snow?' };

function tool(name: string): ChatCompletionTool {
  const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
  return { type: 'function', function: { name, description: name, parameters } };
}

describe.each([
  { adapter: 'openai', model: 'gpt-4o-mini', answer: 'openai answers: How deep is the snow?' },
  { adapter: 'anthropic', model: 'claude-haiku-4-5', answer: 'anthropic answers: How deep is the snow?' },
] as const)('the official client through the $adapter adapter', ({ adapter, model, answer }) => {
  it('reads a whole answer', async () => {
    const completion = await gateway.client().chat.completions.create({ model, messages: [QUESTION] });

    expect(completion).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
    });
    expect(completion.usage!.total_tokens).toBe(
      completion.usage!.prompt_tokens + completion.usage!.completion_tokens,
    );
    expect(completion).not.toHaveProperty('schneeai');
  });

  it('reads the id under which the audit log holds the request', async () => {
    const completion = await gateway.client().chat.completions.create({ model, messages: [QUESTION] });

    expect(completion._request_id).toMatch(/^req_[0-9A-Z]{26}$/);
    const record = await gateway.record(completion._request_id);
    expect(record).toMatchObject({ state: 'served', served: { provider: adapter, model }, attempts: 1 });
  });

  it('reads a streamed answer chunk by chunk', async () => {
    const stream = await gateway.client().chat.completions.create({
      model,
      messages: [QUESTION],
      stream: true,
      stream_options: { include_usage: true },
    });

    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);

    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(answer);
    expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).at(-1)).toBe(
      'stop',
    );
    expect(chunks.every((chunk) => chunk.model === model)).toBe(true);
    expect(chunks.at(-1)!.choices).toEqual([]);
    expect(chunks.at(-1)!.usage!.completion_tokens).toBeGreaterThan(0);
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  it('gets no usage chunk that it did not ask for', async () => {
    const stream = await gateway
      .client()
      .chat.completions.create({ model, messages: [QUESTION], stream: true });

    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);

    expect(chunks.every((chunk) => chunk.choices.length === 1 && chunk.usage === undefined)).toBe(true);
  });

  it('accumulates a stream by its own helper', async () => {
    const stream = gateway.client().chat.completions.stream({ model, messages: [QUESTION] });

    const completion = await stream.finalChatCompletion();

    expect(completion.choices[0]!.message.content).toBe(answer);
    expect(completion.choices[0]!.finish_reason).toBe('stop');
  });

  it.each(['whole', 'streamed'] as const)('calls a tool and reads what came of it, %s', async (form) => {
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Ask snow_depth.' }];
    const request = { model, messages, tools: [tool('snow_depth'), tool('wind_speed')] };
    const ask = async () => {
      const { completions } = gateway.client().chat;
      return form === 'whole'
        ? completions.create(request)
        : completions.stream(request).finalChatCompletion();
    };

    const asked = (await ask()).choices[0]!;
    messages.push(asked.message);
    const call = asked.message.tool_calls![0]!;
    messages.push({ role: 'tool', tool_call_id: call.id, content: '42 cm' });
    const told = (await ask()).choices[0]!;

    expect(asked.finish_reason).toBe('tool_calls');
    expect(asked.message.tool_calls).toHaveLength(1);
    expect(call).toMatchObject({ type: 'function', function: { name: 'snow_depth' } });
    expect(Object.keys(JSON.parse('function' in call ? call.function.arguments : ''))).toEqual(['place']);
    expect(told).toMatchObject({
      finish_reason: 'stop',
      message: { content: `${adapter} read these tool results: 42 cm` },
    });
  });

  it.each(['whole', 'streamed'] as const)('calls two tools at once and answers both, %s', async (form) => {
    const messages: ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Ask snow_depth and wind_speed.' },
    ];
    const request = { model, messages, tools: [tool('snow_depth'), tool('wind_speed')] };
    const ask = async () => {
      const { completions } = gateway.client().chat;
      return form === 'whole'
        ? completions.create(request)
        : completions.stream(request).finalChatCompletion();
    };

    const asked = (await ask()).choices[0]!.message;
    messages.push(asked);
    const [snow, wind] = asked.tool_calls!;
    // Results come in whatever order the tools are done.
    messages.push({ role: 'tool', tool_call_id: wind!.id, content: '12 km/h' });
    messages.push({ role: 'tool', tool_call_id: snow!.id, content: '42 cm' });
    const told = (await ask()).choices[0]!.message;

    expect(asked.tool_calls).toMatchObject([
      { function: { name: 'snow_depth' } },
      { function: { name: 'wind_speed' } },
    ]);
    expect(snow!.id).not.toBe(wind!.id);
    expect(told.content).toContain('42 cm');
    expect(told.content).toContain('12 km/h');
  });

  it('lists the models', async () => {
    const listed = [];
    for await (const { id } of gateway.client().models.list()) listed.push(id);

    expect(listed.sort()).toEqual(['claude-haiku-4-5', 'gpt-4o-mini']);
    expect(await gateway.client().models.retrieve(model)).toMatchObject({
      id: model,
      object: 'model',
      owned_by: adapter,
    });
  });
});
