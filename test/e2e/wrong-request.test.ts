import { TestGateway } from '../support/gateway';
import { HAIKU, haikuFirst, only } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const ASK = { model: 'claude-haiku-4-5', messages: [{ role: 'user', content: 'Hi' }] };

const call = { id: 't1', type: 'function', function: { name: 'snow', arguments: '{}' } };
const snow = { type: 'function', function: { name: 'snow', parameters: { type: 'object' } } };
const called = { role: 'assistant', content: null, tool_calls: [call] };

/** What no provider takes, and the field that the answer has to name (WIRE §2 to §5, fate `reject`). */
const WRONG = [
  {
    name: 'a result of a tool that nobody called',
    body: { messages: [...ASK.messages, called, { role: 'tool', tool_call_id: 't2', content: '31 cm' }] },
    param: 'messages[2].tool_call_id',
  },
  {
    name: 'a tool call without its result',
    body: { messages: [...ASK.messages, called, ...ASK.messages] },
    param: 'messages[1].tool_calls[0].id',
  },
  { name: 'two tools of one name', body: { tools: [snow, snow] }, param: 'tools[1].function.name' },
  {
    name: 'the choice of a tool that is not offered',
    body: { tools: [snow], tool_choice: { type: 'function', function: { name: 'rain' } } },
    param: 'tool_choice.function.name',
  },
];
const [{ body: MISMATCHED } = { body: {} }] = WRONG;

describe('a request that is wrong on any route', () => {
  describe.each(['whole', 'stream'])('asked for a %s answer', (answer) => {
    it.each(WRONG)('is refused at once, naming the field: $name', async ({ body, param }) => {
      await gateway.putPolicy(haikuFirst());

      const refused = await gateway.chat({ ...ASK, ...body, stream: answer === 'stream' });

      expect(refused.status).toBe(400);
      expect(refused.body['error']).toMatchObject({
        type: 'invalid_request_error',
        code: 'invalid_request_error',
        param,
        message: expect.stringMatching(/^(?:messages|tool)/) as string,
      });
      expect(gateway.anthropic.received).toHaveLength(0);
      expect(gateway.openai.received).toHaveLength(0);
    });
  });

  it('is on record as failed, without an upstream call', async () => {
    await gateway.putPolicy(haikuFirst());

    const refused = await gateway.chat({ ...ASK, ...MISMATCHED });

    const record = await gateway.record(refused.headers.get('x-request-id'));
    expect(record).toMatchObject({ state: 'failed', error_code: 'invalid_request_error', cost_micro_usd: 0 });
  });

  it('leaves the circuit of the route alone', async () => {
    await gateway.putPolicy(only(HAIKU));
    for (let request = 0; request < 4; request += 1) await gateway.chat({ ...ASK, ...MISMATCHED });

    expect((await gateway.chat(ASK)).status).toBe(200);
  });
});

it('goes to the next route with what only this one can not express', async () => {
  await gateway.putPolicy(haikuFirst({ max_fallback_cost_multiplier: 10 }));

  const served = await gateway.chat({ ...ASK, web_search_options: {} });

  expect(served.status).toBe(200);
  expect(gateway.anthropic.received).toHaveLength(0);
  expect(gateway.openai.received).toHaveLength(1);
});
