import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, generateText, stepCountIs, streamObject, streamText, tool } from 'ai';
import { z } from 'zod';
import { TestGateway } from '../../support/gateway';
import { ADAPTERS } from './adapters';
import { loopbackOnly } from './loopback-only';

loopbackOnly();

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

const Report = z.object({ depth_cm: z.number(), powder: z.boolean() });

const tools = {
  snow_depth: tool({
    description: 'Depth of the snow',
    inputSchema: z.object({ place: z.string() }),
    execute: async ({ place }) => `42 cm at ${place}`,
  }),
};

describe.each(ADAPTERS)('ai with @ai-sdk/openai-compatible against the $speaker adapter', (adapter) => {
  const { speaker } = adapter;
  const options = (prompt: string) => {
    const provider = createOpenAICompatible({
      name: 'schneeai',
      apiKey: gateway.key,
      baseURL: `${gateway.baseUrl}/v1`,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
    return { model: provider(adapter.model), prompt, maxRetries: 0 };
  };

  it('generates text', async () => {
    const result = await generateText(options('How deep is it?'));

    expect(result.text).toBe(`${speaker} answers: How deep is it?`);
    expect(result.finishReason).toBe('stop');
    expect(result.usage.outputTokens).toBeGreaterThan(0);
  });

  it('streams text, with usage at the end', async () => {
    const result = streamText(options('How deep is it?'));

    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);

    expect(pieces.join('')).toBe(`${speaker} answers: How deep is it?`);
    expect(pieces.length).toBeGreaterThan(2);
    expect(await result.finishReason).toBe('stop');
    expect((await result.usage).inputTokens).toBeGreaterThan(0);
  });

  it('shows reasoning', async () => {
    gateway[speaker].enqueue({ kind: 'answer', reasoning: 'Deep, I think.', text: '42 cm' });

    const result = await generateText(options('How deep is it?'));

    expect(result.reasoningText).toBe('Deep, I think.');
    expect(result.text).toBe('42 cm');
  });

  it('generates an object', async () => {
    const { object } = await generateObject({ ...options('Report.'), schema: Report });

    expect(object).toEqual({ depth_cm: 1, powder: true });
  });

  it('streams an object', async () => {
    const result = streamObject({ ...options('Report.'), schema: Report });

    const partials: unknown[] = [];
    for await (const partial of result.partialObjectStream) partials.push(partial);

    expect(partials.at(-1)).toEqual({ depth_cm: 1, powder: true });
    expect(await result.object).toEqual({ depth_cm: 1, powder: true });
  });

  it('calls a tool and goes on with its result', async () => {
    const result = await generateText({ ...options('Ask snow_depth.'), tools, stopWhen: stepCountIs(3) });

    expect(result.steps).toHaveLength(2);
    expect(result.steps[0]!.toolCalls).toMatchObject([
      { toolName: 'snow_depth', input: { place: 'sample' } },
    ]);
    expect(result.text).toBe(`${speaker} read these tool results: 42 cm at sample`);
  });

  it('calls a tool over streams', async () => {
    const result = streamText({ ...options('Ask snow_depth.'), tools, stopWhen: stepCountIs(3) });

    expect(await result.text).toBe(`${speaker} read these tool results: 42 cm at sample`);
    expect(await result.steps).toHaveLength(2);
  });
});
