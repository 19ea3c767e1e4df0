import type { ApiKey, Scope } from '../../../src/domain/tenant/api-key';
import { mayGrant, mayGrantGroups } from '../../../src/usecase/tenant/grantable-scopes';
import { IssueKey, PLAIN_KEY } from '../../../src/usecase/tenant/issue-key';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { NumberedSecrets } from '../../support/numbered-secrets';
import { SequentialIds } from '../../support/sequential-ids';

const keyWith = (scopes: readonly Scope[], groups: readonly string[] = []): ApiKey => ({
  id: 'k',
  tenantId: 'acme',
  name: 'k',
  secretHash: 'h',
  hint: 'h',
  scopes,
  groups,
  groupStrategy: null,
  rpm: null,
  createdAtMs: 0,
  expiresAtMs: null,
  revokedAtMs: null,
});

describe('granting', () => {
  it.each<[Scope, readonly Scope[]]>([
    ['operator', ['chat', 'tenant:admin', 'policy:write', 'policy:read', 'audit:read', 'operator']],
    ['tenant:admin', ['chat', 'tenant:admin', 'policy:write', 'policy:read', 'audit:read']],
    ['policy:write', ['policy:write', 'policy:read']],
    ['policy:read', ['policy:read']],
    ['audit:read', ['audit:read']],
    ['chat', ['chat']],
  ])('by %s goes as far as %j', (own, expected) => {
    const all: readonly Scope[] = [
      'chat',
      'tenant:admin',
      'policy:write',
      'policy:read',
      'audit:read',
      'operator',
    ];

    expect(all.filter((scope) => mayGrant(keyWith([own]), scope))).toEqual(expected);
  });

  it.each([
    [[], [], true],
    [[], ['a'], true],
    [['a', 'b'], ['b'], true],
    [['a'], [], false],
    [['a'], ['a', 'b'], false],
  ])('of groups by a key with %j to one with %j: %s', (own, wanted, expected) => {
    expect(mayGrantGroups(keyWith([], own), wanted)).toBe(expected);
  });
});

describe('issuing a key at the command line', () => {
  const configuration = new InMemoryConfiguration();
  const issueKey = new IssueKey({
    configuration,
    tenants: configuration,
    secrets: new NumberedSecrets(),
    ids: new SequentialIds(),
    clock: new FakeClock(0),
  });
  const wanted = (scopes: readonly Scope[]) => ({ ...PLAIN_KEY, name: 'k', scopes });

  it('makes an operator’s key, and stores its hash only', async () => {
    const issued = await issueKey.execute(null, wanted(['operator']), 'machine_owner');

    expect(issued).toMatchObject({ ok: true, value: { secret: 'sk-test-0001', key: { tenantId: null } } });
    expect(JSON.stringify(configuration.keysOf(null))).not.toContain('sk-test');
    expect(configuration.keysOf(null)[0]?.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, string | null, readonly Scope[]]>([
    ['an operator’s key for a tenant', 'acme', ['operator']],
    ['a key that is neither a tenant’s nor an operator’s', null, ['audit:read']],
  ])('never makes %s', async (_case, tenant, scopes) => {
    const issued = await issueKey.execute(tenant, wanted(scopes), 'machine_owner');

    expect(issued).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });
});
