import { AdminGateway } from '../../../../support/admin-gateway';

describe('tenants', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  it('are registered with an id of the operator’s choice', async () => {
    const answer = await gateway.call('post', '/tenants', { body: { id: 'gamma', name: 'Gamma' } });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: 'gamma',
      name: 'Gamma',
      features: { failover: false },
      groups: null,
      created_at: '2026-11-30T12:00:00.000Z',
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  it('get an id when none is chosen', async () => {
    const answer = await gateway.call('post', '/tenants', {
      body: { name: 'Gamma', features: { failover: true } },
    });

    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^ten_\d{26}$/),
      features: { failover: true },
    });
  });

  it('are listed and read', async () => {
    const list = await gateway.call('get', '/tenants');
    const one = await gateway.call('get', '/tenants/acme', { as: 'acme-admin' });

    expect(list.body).toMatchObject({ data: [{ id: 'acme' }, { id: 'beta' }], next_cursor: null });
    expect(one.body).toMatchObject({ id: 'acme', name: 'Acme' });
  });

  it('are renamed by their own admin', async () => {
    const answer = await gateway.call('patch', '/tenants/acme', {
      as: 'acme-admin',
      body: { name: 'Acme Inc.' },
    });

    expect(answer.status).toBe(200);
    expect(gateway.configuration.tenant('acme')?.name).toBe('Acme Inc.');
  });

  it('have their failover switched by the operator only', async () => {
    const body = { name: 'Acme 2', features: { failover: true } };

    const refused = await gateway.call('patch', '/tenants/acme', { as: 'acme-admin', body });
    const unchanged = gateway.configuration.tenant('acme');
    const done = await gateway.call('patch', '/tenants/acme', { body });

    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', type: 'permission_error' });
    expect(unchanged).toMatchObject({ name: 'Acme', features: { failover: false } });
    expect(done.body).toMatchObject({ name: 'Acme 2', features: { failover: true } });
  });

  it('have their groups set by the operator only, and opened again by null', async () => {
    const body = { groups: [{ name: 'premium', rpm: 10 }, { name: 'standard' }] };
    const path = '/tenants/acme';

    const refused = await gateway.call('patch', path, { as: 'acme-admin', body });
    const unchanged = gateway.configuration.tenant('acme')?.groups;
    const done = await gateway.call('patch', path, { body });
    const renamed = await gateway.call('patch', path, { as: 'acme-admin', body: { name: 'Acme 2' } });
    const opened = await gateway.call('patch', path, { body: { groups: null } });

    const groups = [
      { name: 'premium', rpm: 10 },
      { name: 'standard', rpm: null },
    ];
    expect(refused.status).toBe(403);
    expect(unchanged).toBeNull();
    expect(done.body).toMatchObject({ groups });
    expect(renamed.body).toMatchObject({ name: 'Acme 2', groups });
    expect(opened.body).toMatchObject({ groups: null });
  });

  it.each([
    ['post', '/tenants', { name: 'Gamma' }],
    ['patch', '/tenants/acme', {}],
  ] as const)('are refused with groups that are not there, or twice: %s', async (method, path, given) => {
    const groups = [{ name: 'standard' }, { name: 'gold' }, { name: 'standard' }];

    const answer = await gateway.call(method, path, { body: { ...given, groups } });

    expect(answer.status).toBe(422);
    expect(answer.body.schneeai.problems).toEqual([
      { field: 'groups[1].name', message: "no channel is in the group 'gold'" },
      { field: 'groups[2].name', message: "names the group 'standard' again" },
    ]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each([
    ['no name', { id: 'gamma' }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, 'name'],
    ['an id with a slash', { id: 'a/b', name: 'Gamma' }, 'id'],
    ['an id of 65 characters', { id: 'a'.repeat(65), name: 'Gamma' }, 'id'],
    ['a feature that is no boolean', { name: 'Gamma', features: { failover: 'yes' } }, 'features.failover'],
    ['an unknown feature', { name: 'Gamma', features: { teleport: true } }, 'features.teleport'],
    ['features that are a list', { name: 'Gamma', features: [] }, 'features'],
    ['no group at all', { name: 'Gamma', groups: [] }, 'groups'],
    ['a group that is only a name', { name: 'Gamma', groups: ['standard'] }, 'groups'],
    ['a group without a name', { name: 'Gamma', groups: [{ rpm: 1 }] }, 'groups[0].name'],
    [
      'a group that takes nothing',
      { name: 'Gamma', groups: [{ name: 'standard', rpm: 0 }] },
      'groups[0].rpm',
    ],
    ['an unknown field', { name: 'Gamma', colour: 'red' }, 'colour'],
    [
      'a field named like the prototype',
      JSON.parse('{"name":"Gamma","__proto__":{"x":1}}') as object,
      '__proto__',
    ],
    ['a field named constructor', { name: 'Gamma', constructor: 1 }, 'constructor'],
  ])('are refused with %s', async (_case, body, param) => {
    const answer = await gateway.call('post', '/tenants', { body });

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are refused with every problem listed at once', async () => {
    const answer = await gateway.call('post', '/tenants', { body: { id: 'A B', colour: 1 } });

    expect(answer.body.schneeai.problems.map(({ field }: { field: string }) => field).sort()).toEqual(
      expect.arrayContaining(['colour', 'id', 'name']),
    );
    expect(answer.body.error.message).toContain('colour: is not a known field');
  });

  it.each([
    ['id', { id: 'acme', name: 'Other' }],
    ['name', { id: 'other', name: 'Acme' }],
  ])('are refused with the %s of another', async (param, body) => {
    const answer = await gateway.call('post', '/tenants', { body });

    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'conflict', param });
    expect(gateway.configuration.tenants()).toHaveLength(2);
  });

  it('do not learn from a refused name that somebody else has it', async () => {
    const answer = await gateway.call('patch', '/tenants/acme', { as: 'acme-admin', body: { name: 'Beta' } });

    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toBe('This name can not be taken.');
  });

  it('that do not exist are not found', async () => {
    const answer = await gateway.call('get', '/tenants/nobody');

    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      error: { code: 'not_found', type: 'not_found_error', param: null },
      request_id: answer.headers['x-request-id'],
    });
  });

  it('are not registered while the store is gone', async () => {
    gateway.configuration.unavailable = true;

    const answer = await gateway.call('post', '/tenants', { body: { name: 'Gamma' } });

    expect(answer.status).toBe(503);
    expect(answer.body.error.code).toBe('audit_unavailable');
    expect(JSON.stringify(answer.body)).not.toContain('database is gone');
    expect(gateway.faults).toMatchObject([
      { message: 'store unavailable', requestId: answer.body.request_id },
    ]);
  });
});
