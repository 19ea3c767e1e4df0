import { AdminGateway } from '../../../../support/admin-gateway';

describe('keys', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const issue = (body: object, as = 'acme-admin') => gateway.call('post', '/tenants/acme/keys', { as, body });

  it('are issued with their secret, which works and is never shown again', async () => {
    const issued = await issue({
      name: 'CI',
      scopes: ['policy:read'],
      groups: ['standard'],
      expires_at: '2027-01-01T00:00:00Z',
    });
    const list = await gateway.call('get', '/tenants/acme/keys', { as: 'acme-admin' });
    const used = await gateway.call('get', '/tenants/acme/routing-policies', { as: 'sk-test-0001' });

    expect(issued.status).toBe(201);
    expect(issued.body).toEqual({
      id: expect.stringMatching(/^key_\d{26}$/),
      tenant: 'acme',
      name: 'CI',
      hint: '0001',
      scopes: ['policy:read'],
      groups: ['standard'],
      group_strategy: null,
      rpm: null,
      created_at: '2026-11-30T12:00:00.000Z',
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
      secret: 'sk-test-0001',
    });
    expect(list.body.data[0]).toMatchObject({ name: 'CI', hint: '0001' });
    expect(JSON.stringify(list.body)).not.toMatch(/sk-test|secret|[0-9a-f]{64}/);
    expect(used.status).toBe(200);
  });

  it.each([
    ['a scope that the issuer lacks', { scopes: ['operator'] }, 'op'],
    ['the operator scope from a tenant’s admin', { scopes: ['operator'] }, 'acme-admin'],
  ])('are not issued with %s', async (_case, given, as) => {
    const answer = await issue({ name: 'K', ...given }, as);

    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'forbidden', type: 'permission_error' });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are issued for chat by whoever administers the tenant', async () => {
    const byAdmin = await issue({ name: 'App', scopes: ['chat'] });
    const byOperator = await issue({ name: 'App', scopes: ['chat', 'tenant:admin'] }, 'op');

    expect([byAdmin.status, byOperator.status]).toEqual([201, 201]);
  });

  it('reach no further than the groups of their issuer', async () => {
    await gateway.addKey('bound', {
      tenantId: 'acme',
      scopes: ['tenant:admin'],
      groups: ['standard', 'premium'],
    });

    const every = await issue({ name: 'K', scopes: ['chat'] }, 'bound');
    const other = await issue({ name: 'K', scopes: ['chat'], groups: ['standard', 'vip'] }, 'bound');
    const within = await issue({ name: 'K', scopes: ['chat'], groups: ['premium'] }, 'bound');

    expect([every.status, other.status, within.status]).toEqual([403, 403, 201]);
  });

  it('are issued with a limit, and as smart keys', async () => {
    const issued = await issue({ name: 'App', scopes: ['chat'], rpm: 60, group_strategy: 'cost' });

    expect(issued.body).toMatchObject({ groups: [], group_strategy: 'cost', rpm: 60 });
    expect(gateway.configuration.keysOf('acme').at(-1)).toMatchObject({ groupStrategy: 'cost', rpm: 60 });
  });

  it.each([
    [
      'a group that no channel is in',
      { groups: ['standard', 'gold'] },
      { field: 'groups[1]', message: "no channel is in the group 'gold'" },
    ],
    [
      'a group that the tenant may not use',
      { groups: ['premium'] },
      { field: 'groups[0]', message: "the tenant may not use the group 'premium'" },
    ],
    [
      'a group twice',
      { groups: ['standard', 'standard'] },
      { field: 'groups[1]', message: "names the group 'standard' again" },
    ],
    [
      'two orders of groups',
      { groups: ['standard'], group_strategy: 'cost' },
      {
        field: 'group_strategy',
        message: 'orders every group of the tenant, so groups must be empty or left out',
      },
    ],
  ])('are not issued with %s', async (_case, given, problem) => {
    const body = { groups: [{ name: 'standard', rpm: null }] };
    await gateway.call('patch', '/tenants/acme', { body });
    gateway.configuration.writes = 0;

    const answer = await issue({ name: 'K', scopes: ['chat'], ...given });

    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'unprocessable', param: problem.field });
    expect(answer.body.schneeai.problems).toEqual([problem]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it('that are smart are not issued by one that is bound to groups', async () => {
    await gateway.addKey('bound', { tenantId: 'acme', scopes: ['tenant:admin'], groups: ['standard'] });

    const answer = await issue({ name: 'K', scopes: ['chat'], group_strategy: 'cost' }, 'bound');

    expect(answer.status).toBe(403);
  });

  it('are refused in words that name the field once', async () => {
    const answer = await issue({ name: 'K', scopes: ['chat', 'chat'] });

    expect(answer.body.error.message).toBe('scopes: elements must be unique');
  });

  it.each([
    ['no name', { scopes: ['chat'] }, 'name'],
    ['no scopes', { name: 'K' }, 'scopes'],
    ['an empty list of scopes', { name: 'K', scopes: [] }, 'scopes'],
    ['an unknown scope', { name: 'K', scopes: ['root'] }, 'scopes'],
    ['a scope twice', { name: 'K', scopes: ['chat', 'chat'] }, 'scopes'],
    ['groups that are no list', { name: 'K', scopes: ['chat'], groups: 'standard' }, 'groups'],
    ['groups that are null', { name: 'K', scopes: ['chat'], groups: null }, 'groups'],
    ['a limit of none', { name: 'K', scopes: ['chat'], rpm: 0 }, 'rpm'],
    ['a limit of half a request', { name: 'K', scopes: ['chat'], rpm: 0.5 }, 'rpm'],
    ['a limit beyond reason', { name: 'K', scopes: ['chat'], rpm: 1_000_001 }, 'rpm'],
    ['an unknown strategy', { name: 'K', scopes: ['chat'], group_strategy: 'random' }, 'group_strategy'],
    ['an expiry that is no time', { name: 'K', scopes: ['chat'], expires_at: 'soon' }, 'expires_at'],
    [
      'an expiry on 30 February',
      { name: 'K', scopes: ['chat'], expires_at: '2027-02-30T00:00:00Z' },
      'expires_at',
    ],
    ['a secret of the caller’s choice', { name: 'K', scopes: ['chat'], secret: 'x' }, 'secret'],
  ])('are refused with %s', async (_case, body, param) => {
    const answer = await issue(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each([
    ['the present moment', '2026-11-30T12:00:00Z', 422],
    ['one millisecond later', '2026-11-30T12:00:00.001Z', 201],
  ])('with an expiry at %s get %#', async (_case, expires_at, status) => {
    const answer = await issue({ name: 'K', scopes: ['chat'], expires_at });

    expect(answer.status).toBe(status);
  });

  it('stop working when they are revoked, and say so ever after', async () => {
    const first = await gateway.call('delete', '/tenants/acme/keys/acme-app', { as: 'acme-admin' });
    await gateway.clock.advance(1_000);
    const second = await gateway.call('delete', '/tenants/acme/keys/acme-app', { as: 'acme-admin' });
    const used = await gateway.call('get', '/tenants/acme', { as: 'acme-app' });

    expect(first.body).toMatchObject({ id: 'acme-app', revoked_at: '2026-11-30T12:00:00.000Z' });
    expect(second.body).toEqual(first.body);
    expect(used.status).toBe(401);
  });

  it('are rotated: the new one has the same rights, the old one is revoked', async () => {
    await gateway.addKey('old', {
      tenantId: 'acme',
      scopes: ['policy:read'],
      groups: ['standard', 'closed-since'],
      rpm: 9,
      expiresAtMs: Date.parse('2027-01-01T00:00:00Z'),
    });

    const rotated = await gateway.call('post', '/tenants/acme/keys/old/rotate', { as: 'acme-admin' });
    const withOld = await gateway.call('get', '/tenants/acme/routing-policies', { as: 'old' });
    const withNew = await gateway.call('get', '/tenants/acme/routing-policies', { as: 'sk-test-0001' });

    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({
      name: 'old',
      scopes: ['policy:read'],
      groups: ['standard', 'closed-since'],
      group_strategy: null,
      rpm: 9,
      expires_at: '2027-01-01T00:00:00.000Z',
      secret: 'sk-test-0001',
    });
    expect([withOld.status, withNew.status]).toEqual([401, 200]);
  });

  it('are not rotated once they are revoked', async () => {
    await gateway.addKey('old', { tenantId: 'acme', scopes: ['chat'], revokedAtMs: 1 });

    const answer = await gateway.call('post', '/tenants/acme/keys/old/rotate', { as: 'acme-admin' });

    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: 'conflict', param: 'key_id' });
  });

  it.each([
    ['delete', '/tenants/acme/keys/beta-admin'],
    ['post', '/tenants/acme/keys/beta-admin/rotate'],
    ['delete', '/tenants/acme/keys/nothing'],
  ] as const)('of another tenant are not there: %s %s', async (method, path) => {
    const answer = await gateway.call(method, path, { as: 'acme-admin' });

    expect(answer.status).toBe(404);
    expect(gateway.configuration.writes).toBe(0);
  });
});
