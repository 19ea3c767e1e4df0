import { zodResponseFormat } from 'openai/helpers/zod';
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

const Report = z.object({ depth_cm: z.number(), powder: z.boolean(), slopes: z.array(z.string()) });

/** A tool as `runTools` wants it, and the arguments that it was called with. */
function snowDepth() {
  const asked: unknown[] = [];
  const tool = {
    type: 'function' as const,
    function: {
      name: 'snow_depth',
      description: 'Depth of the snow',
      parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      parse: JSON.parse as (text: string) => { place: string },
      function: (input: { place: string }) => {
        asked.push(input);
        return '42 cm';
      },
    },
  };
  return { tool, asked };
}

describe.each(ADAPTERS)('openai against the $speaker adapter', ({ speaker, model }) => {
  const ask = (content: string) => ({ model, messages: [{ role: 'user' as const, content }] });

  it('creates a completion', async () => {
    const completion = await gateway.client().chat.completions.create(ask('How deep is it?'));

    expect(completion.choices[0]!.message.content).toBe(`${speaker} answers: How deep is it?`);
    expect(completion.usage!.total_tokens).toBeGreaterThan(0);
  });

  it('streams a completion', async () => {
    const stream = gateway.client().chat.completions.stream(ask('How deep is it?'));
    const contents: string[] = [];
    stream.on('content', (delta) => contents.push(delta));

    const completion = await stream.finalChatCompletion();

    expect(contents.join('')).toBe(`${speaker} answers: How deep is it?`);
    expect(contents.length).toBeGreaterThan(1);
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: contents.join('') },
    });
  });

  it('runs tools until the answer is there', async () => {
    const { tool, asked } = snowDepth();

    const runner = gateway.client().chat.completions.runTools({ ...ask('Ask snow_depth.'), tools: [tool] });

    expect(await runner.finalContent()).toBe(`${speaker} read these tool results: 42 cm`);
    expect(asked).toEqual([{ place: 'sample' }]);
    expect(runner.allChatCompletions().map(({ choices }) => choices[0]!.finish_reason)).toEqual([
      'tool_calls',
      'stop',
    ]);
  });

  it('runs tools over streams', async () => {
    const { tool, asked } = snowDepth();

    const runner = gateway
      .client()
      .chat.completions.runTools({ ...ask('Ask snow_depth.'), tools: [tool], stream: true });

    expect(await runner.finalContent()).toBe(`${speaker} read these tool results: 42 cm`);
    expect(asked).toEqual([{ place: 'sample' }]);
  });

  it('parses an answer with a zod schema', async () => {
    const completion = await gateway.client().chat.completions.parse({
      ...ask('Report.'),
      response_format: zodResponseFormat(Report, 'report'),
    });

    expect(completion.choices[0]!.message.parsed).toEqual({ depth_cm: 1, powder: true, slopes: ['sample'] });
  });

  it('parses a streamed answer with a zod schema', async () => {
    const stream = gateway.client().chat.completions.stream({
      ...ask('Report.'),
      response_format: zodResponseFormat(Report, 'report'),
    });

    const completion = await stream.finalChatCompletion();

    expect(completion.choices[0]!.message.parsed).toEqual({ depth_cm: 1, powder: true, slopes: ['sample'] });
  });

  it('reads a refusal where it wanted a parsed answer', async () => {
    gateway[speaker].enqueue({ kind: 'answer', refusal: 'Not that.' });

    const request = { ...ask('Report.'), response_format: zodResponseFormat(Report, 'report') };
    const outcome = await gateway
      .client()
      .chat.completions.parse(request)
      .catch((error: Error) => error);

    // OpenAI refuses in an answer that says 'stop'; Claude's refusal ends in content_filter, which the helper throws.
    if (speaker === 'openai') {
      expect(outcome).toMatchObject({ choices: [{ message: { parsed: null, refusal: 'Not that.' } }] });
    } else {
      expect(outcome).toMatchObject({ name: 'Error', message: expect.stringContaining('content filter') });
    }
  });
});
