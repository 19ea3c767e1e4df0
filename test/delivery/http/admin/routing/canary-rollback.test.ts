import { AdminGateway } from '../../../../support/admin-gateway';

const MAIN = '/tenants/acme/routing-policies/main';
const POLICY = {
  match: ['auto'],
  primary: { provider: 'openai', model: 'gpt-s' },
  canary: { target: { provider: 'mistral', model: 'mistral-s' }, percent: 5 },
};

describe('the rollback of a canary', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
    await gateway.addKey('writer', { tenantId: 'acme', scopes: ['policy:write'] });
    await gateway.call('put', MAIN, { as: 'writer', body: POLICY });
    gateway.configuration.writes = 0;
  });

  const rollBack = (headers: Record<string, string> = {}, as = 'writer') =>
    gateway.call('post', `${MAIN}/canary/rollback`, { as, headers });

  it('writes a version without it, and keeps the rest', async () => {
    const answer = await rollBack();

    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe('"2"');
    expect(answer.body).toMatchObject({
      version: 2,
      created_by: 'writer',
      restored_from: null,
      warnings: [],
      policy: { match: ['auto'], primary: { provider: 'openai', model: 'gpt-s' }, canary: null },
    });
  });

  it('is not held up by a catalog in which the policy could not be written today', async () => {
    await gateway.configuration.remove('model', 'gpt-s');

    const answer = await rollBack();

    expect(answer.status).toBe(200);
    expect(answer.body.warnings).toContainEqual(expect.objectContaining({ field: 'primary.model' }));
  });

  it('is a 409 where there is no canary, and writes nothing', async () => {
    await rollBack();
    gateway.configuration.writes = 0;

    const answer = await rollBack();

    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toBe("The routing policy 'main' has no canary.");
    expect(gateway.configuration.writes).toBe(0);
  });

  it('is a 404 where there is no such policy', async () => {
    const answer = await gateway.call('post', '/tenants/acme/routing-policies/none/canary/rollback', {
      as: 'writer',
    });

    expect(answer.status).toBe(404);
  });

  it.each([
    { tag: '"1"', status: 200, writes: 1 },
    { tag: '"9"', status: 412, writes: 0 },
  ])('with If-Match $tag is a $status', async ({ tag, status, writes }) => {
    const answer = await rollBack({ 'if-match': tag });

    expect(answer.status).toBe(status);
    expect(gateway.configuration.writes).toBe(writes);
  });

  it('needs policy:write', async () => {
    await gateway.addKey('reader', { tenantId: 'acme', scopes: ['policy:read'] });
    gateway.configuration.writes = 0;

    expect((await rollBack({}, 'reader')).status).toBe(403);
    expect(gateway.configuration.writes).toBe(0);
  });
});
