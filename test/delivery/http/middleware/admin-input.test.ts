import request from 'supertest';
import { AdminGateway } from '../../../support/admin-gateway';

describe('input of the admin API', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const send = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    request(gateway.app)
      .post('/admin/v1/tenants')
      .set({ authorization: 'Bearer op', ...headers })
      .send(body);

  it.each([
    ['a list', '[]'],
    ['a list of documents', '[{"name":"Gamma"}]'],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['5,000 levels', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['1,001 elements', JSON.stringify({ name: 'Gamma', a: Array<number>(1_001).fill(0) })],
    ['half a document', '{"name":'],
    ['null', 'null'],
    ['nothing', ''],
    ['a byte that is no UTF-8', '{"name":"\\ud800'],
  ])('is refused when it is %s', async (_case, body) => {
    const answer = await send(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', type: 'invalid_request_error' });
    expect(gateway.configuration.writes).toBe(0);
    expect(gateway.faults).toEqual([]);
  });

  it('is refused above a megabyte', async () => {
    const answer = await send(JSON.stringify({ name: 'x'.repeat(1_048_576) }));

    expect(answer.status).toBe(413);
    expect(answer.body.schneeai).toEqual({ limit_bytes: 1_048_576 });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'is refused as %s',
    async (type) => {
      const answer = await send('{"name":"Gamma"}', { 'content-type': type });

      expect(answer.status).toBe(415);
      expect(answer.body.error.code).toBe('unsupported_media_type');
    },
  );

  it('is not read before the caller is known', async () => {
    const answer = await send('{"a": oops', {
      authorization: 'Bearer unknown',
      'content-type': 'application/json',
    });

    expect(answer.status).toBe(401);
  });

  it('is refused with a query that nobody reads', async () => {
    const answer = await gateway.call('get', '/tenants?page=2');

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ param: 'page', message: 'page: is not a known field' });
  });

  it.each([
    ['get', '/nothing'],
    ['put', '/tenants'],
    ['get', '/Tenants'],
    ['delete', '/audit/records/req_1'],
  ] as const)('is not found at %s %s', async (method, path) => {
    const answer = await gateway.call(method, path);

    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      code: 'not_found',
      message: `There is no ${method.toUpperCase()} /admin/v1${path}.`,
    });
  });
});
