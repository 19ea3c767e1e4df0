import { AdminGateway } from '../../../../support/admin-gateway';

describe('providers', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  it('are registered, listed, read and written back', async () => {
    const body = { id: 'groq', name: 'Groq', data_policy: { retention_days: 0, trains_on_data: false } };

    const created = await gateway.call('post', '/providers', { body });
    const read = await gateway.call('get', '/providers/groq');
    const put = await gateway.call('put', '/providers/groq', {
      body: { ...read.body, name: 'Groq Inc.' } as object,
    });
    const list = await gateway.call('get', '/providers');

    expect([created.status, put.status]).toEqual([201, 200]);
    expect(read.body).toEqual(body);
    expect(list.body.data.map(({ name }: { name: string }) => name)).toContain('Groq Inc.');
  });

  it('are created by a PUT that finds none', async () => {
    const answer = await gateway.call('put', '/providers/groq', { body: { name: 'Groq' } });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: 'groq',
      name: 'Groq',
      data_policy: { retention_days: null, trains_on_data: null },
    });
  });

  it.each([
    ['post', '/providers', { name: 'Groq' }, 'id'],
    ['post', '/providers', { id: 'G', name: 'Groq' }, 'id'],
    ['post', '/providers', { id: 'groq' }, 'name'],
    [
      'post',
      '/providers',
      { id: 'groq', name: 'G', data_policy: { retention_days: -1 } },
      'data_policy.retention_days',
    ],
    [
      'post',
      '/providers',
      { id: 'groq', name: 'G', data_policy: { retention_days: 1.5 } },
      'data_policy.retention_days',
    ],
    ['post', '/providers', { id: 'groq', name: 'G', data_policy: null }, 'data_policy'],
    ['post', '/providers', { id: 'groq', name: 'G', secret: 's' }, 'secret'],
    ['put', '/providers/groq', { id: 'other', name: 'G' }, 'id'],
    ['put', '/providers/GROQ', { name: 'G' }, 'id'],
  ] as const)('are refused by %s %s with %j', async (method, path, body, param) => {
    const answer = await gateway.call(method, path, { body });

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are not created twice', async () => {
    const answer = await gateway.call('post', '/providers', { body: { id: 'openai', name: 'X' } });

    expect(answer.status).toBe(409);
    expect(gateway.configuration.catalog().providers.get('openai')?.name).toBe('openai');
  });

  it('stay while a channel, a model, a policy or a rule refers to them', async () => {
    const body = { match: ['*'], primary: { provider: 'mistral', model: 'mistral-s' } };
    await gateway.call('put', '/tenants/acme/routing-policies/main', { body });
    await gateway.call('put', '/tenants/beta/eligibility', {
      body: { allow_list: [{ provider: 'mistral' }] },
    });

    const answer = await gateway.call('delete', '/providers/mistral');

    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({
      code: 'conflict',
      param: 'provider',
      message:
        "The provider 'mistral' can not be removed while it is used by the channel 'ch-mi', the model 'mistral-s', " +
        "the policy 'main' of the tenant 'acme', the eligibility of the tenant 'beta'.",
    });
    expect(gateway.configuration.catalog().providers.has('mistral')).toBe(true);
  });

  it('are removed when nothing refers to them', async () => {
    await gateway.call('put', '/providers/groq', { body: { name: 'Groq' } });

    const removed = await gateway.call('delete', '/providers/groq');
    const again = await gateway.call('delete', '/providers/groq');

    expect([removed.status, again.status]).toEqual([204, 404]);
    expect(removed.text).toBe('');
  });
});
