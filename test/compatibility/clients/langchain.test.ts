import { tool } from '@langchain/core/tools';
import { HumanMessage, type AIMessageChunk, type ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
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

const snowDepth = tool(async ({ place }) => `42 cm at ${place}`, {
  name: 'snow_depth',
  description: 'Depth of the snow',
  schema: z.object({ place: z.string() }),
});

describe.each(ADAPTERS)('@langchain/openai against the $speaker adapter', ({ speaker, model }) => {
  const chat = () =>
    new ChatOpenAI({
      model,
      apiKey: gateway.key,
      maxRetries: 0,
      configuration: { baseURL: `${gateway.baseUrl}/v1` },
    });

  it('invokes', async () => {
    const message = await chat().invoke('How deep is it?');

    expect(message.content).toBe(`${speaker} answers: How deep is it?`);
    expect(message.usage_metadata!.total_tokens).toBe(
      message.usage_metadata!.input_tokens + message.usage_metadata!.output_tokens,
    );
    expect(message.response_metadata).toMatchObject({ finish_reason: 'stop', model_name: model });
  });

  it('streams, with usage at the end', async () => {
    let whole: AIMessageChunk | undefined;
    let pieces = 0;
    for await (const chunk of await chat().stream('How deep is it?')) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
      pieces += 1;
    }

    expect(whole!.content).toBe(`${speaker} answers: How deep is it?`);
    expect(pieces).toBeGreaterThan(2);
    expect(whole!.usage_metadata!.output_tokens).toBeGreaterThan(0);
  });

  it('calls a bound tool, and reads its result', async () => {
    const bound = chat().bindTools([snowDepth]);
    const question = new HumanMessage('Ask snow_depth.');

    const asked = await bound.invoke([question]);
    const result: ToolMessage = await snowDepth.invoke(asked.tool_calls![0]!);
    const told = await bound.invoke([question, asked, result]);

    expect(asked.tool_calls).toMatchObject([{ name: 'snow_depth', args: { place: 'sample' } }]);
    expect(told.content).toBe(`${speaker} read these tool results: 42 cm at sample`);
  });

  it('streams the call of a bound tool', async () => {
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await chat().bindTools([snowDepth]).stream('Ask snow_depth.')) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }

    expect(whole!.tool_calls).toMatchObject([{ name: 'snow_depth', args: { place: 'sample' } }]);
  });

  it.each(['jsonSchema', 'functionCalling'] as const)('gives structured output by %s', async (method) => {
    const structured = chat().withStructuredOutput(Report, { name: 'report', method });

    expect(await structured.invoke('Report.')).toEqual({ depth_cm: 1, powder: true });
  });
});
