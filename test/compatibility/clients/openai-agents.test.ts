import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { TestGateway } from '../../support/gateway';
import { ADAPTERS } from './adapters';
import { loopbackOnly } from './loopback-only';

loopbackOnly();

let gateway: TestGateway;
beforeAll(async () => {
  setTracingDisabled(true);
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

describe.each(ADAPTERS)('@openai/agents against the $speaker adapter', ({ speaker, model }) => {
  const agent = (asked: unknown[]) =>
    new Agent({
      name: 'Snow reporter',
      instructions: 'Report on snow.',
      model: new OpenAIChatCompletionsModel(gateway.client(), model),
      tools: [
        tool({
          name: 'snow_depth',
          description: 'Depth of the snow',
          parameters: z.object({ place: z.string() }),
          execute: async (input) => {
            asked.push(input);
            return '42 cm';
          },
        }),
      ],
    });

  it('loops over a tool until the answer is there', async () => {
    const asked: unknown[] = [];

    const result = await run(agent(asked), 'Ask snow_depth.');

    expect(asked).toEqual([{ place: 'sample' }]);
    expect(result.finalOutput).toBe(`${speaker} read these tool results: 42 cm`);
  });

  it('loops over a tool in streams', async () => {
    const asked: unknown[] = [];

    const result = await run(agent(asked), 'Ask snow_depth.', { stream: true });
    await result.completed;

    expect(asked).toEqual([{ place: 'sample' }]);
    expect(result.finalOutput).toBe(`${speaker} read these tool results: 42 cm`);
  });
});
