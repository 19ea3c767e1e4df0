import { AdminGateway } from '../../../../support/admin-gateway';

const OFFERING = {
  id: 'az-claude',
  channel: 'ch-az',
  model: 'claude-s',
  upstream_name: 'claude-s-2026',
  price: { input: 300_000, output: 1_500_000, cached_input: 30_000, cache_write: null, cache_write_1h: null },
  contract: { max_output_tokens: 8_192, vision: false },
  enabled: true,
};

describe('offerings', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const post = (given: object) => gateway.call('post', '/offerings', { body: { ...OFFERING, ...given } });

  it('are registered, read and written back', async () => {
    const created = await post({});
    const read = await gateway.call('get', '/offerings/az-claude');
    const put = await gateway.call('put', '/offerings/az-claude', { body: read.body as object });

    expect(created.status).toBe(201);
    expect(read.body).toEqual(OFFERING);
    expect(put.status).toBe(200);
  });

  it.each([
    ['null', null],
    ['left out', undefined],
  ])('have an unknown price where it is %s', async (_case, price) => {
    const answer = await post({ price });

    expect(answer.status).toBe(201);
    expect(answer.body.price).toBeNull();
  });

  it('may be free', async () => {
    const answer = await post({ price: { input: 0, output: 0 } });

    expect(answer.body.price).toEqual({
      input: 0,
      output: 0,
      cached_input: null,
      cache_write: null,
      cache_write_1h: null,
    });
  });

  it.each([
    ['no channel', { channel: undefined }, 'channel'],
    ['an upstream name with a space', { upstream_name: 'a b' }, 'upstream_name'],
    ['a price of half a micro-USD', { price: { input: 0.5, output: 1 } }, 'price.input'],
    ['a negative price', { price: { input: 1, output: -1 } }, 'price.output'],
    ['a price that is text', { price: { input: '1', output: 1 } }, 'price.input'],
    ['half a price', { price: { input: 1 } }, 'price.output'],
    ['a price that is a list', { price: [] }, 'price'],
    ['an unknown unit', { price: { input: 1, output: 1, currency: 'EUR' } }, 'price.currency'],
    ['a contract that is null', { contract: null }, 'contract'],
  ])('are refused with %s', async (_case, given, param) => {
    const answer = await post(given);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are refused with a channel and a model that are not there', async () => {
    const answer = await post({ channel: 'nothing', model: 'nothing' });

    expect(answer.status).toBe(422);
    expect(answer.body.schneeai.problems).toEqual([
      { field: 'channel', message: "there is no channel 'nothing'" },
      { field: 'model', message: "there is no model 'nothing'" },
    ]);
  });

  it.each([
    ['its id', { id: 'an' }, 'id'],
    [
      'channel, model and upstream name',
      { channel: 'ch-mi', model: 'mistral-s', upstream_name: 'gpt-s' },
      'upstream_name',
    ],
  ])('are not created twice, judged by %s', async (_case, given, param) => {
    const answer = await post(given);

    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'conflict', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are removed', async () => {
    const removed = await gateway.call('delete', '/offerings/mi');

    expect(removed.status).toBe(204);
    expect(gateway.configuration.catalog().offerings.has('mi')).toBe(false);
  });
});
