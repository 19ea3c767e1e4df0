import { TestGateway } from '../support/gateway';
import { MINI_PRICE } from '../support/gateway-catalog';
import { fixtureEntries, recordedRequest } from './recorded-fixture';

const MODEL = 'can-do-everything';

/** No request is refused for what this model can't do. */
const EVERYTHING = {
  json_schema: true,
  json_object: true,
  vision: true,
  files: true,
  audio: true,
  multiple_choices: true,
  logprobs: true,
  legacy_functions: true,
  prefill: true,
  mid_conversation_system: true,
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
  await gateway.put(`/models/${MODEL}`, { provider: 'openai', contract: EVERYTHING });
  await gateway.put(`/offerings/${MODEL}`, {
    channel: 'openai-us',
    model: MODEL,
    upstream_name: 'upstream-name',
    price: MINI_PRICE,
  });
});
afterAll(() => gateway.stop());

const rows = fixtureEntries()
  .filter(({ wire }) => wire === 'openai-chat')
  .flatMap(({ id }) => {
    const body = recordedRequest(id);
    return body !== undefined && Array.isArray(body['messages']) ? [{ id, body }] : [];
  });

describe('a recorded request to an upstream of the same wire', () => {
  it('comes with enough fixtures', () => {
    expect(rows).toHaveLength(247);
  });

  it.each(rows)('$id arrives as it was sent, but for the model and the usage option', async ({ body }) => {
    gateway.openai.reset();

    await gateway.chat({ ...body, model: MODEL });

    const options = body['stream'] === true ? { stream_options: { include_usage: true } } : {};
    expect(gateway.openai.received.map((call) => call.body)).toEqual([
      { ...body, model: 'upstream-name', ...options },
    ]);
  });
});
