import { hasScope, isUsable, SCOPES } from '../../../src/domain/tenant/api-key';
import type { ApiKey, Scope } from '../../../src/domain/tenant/api-key';

function aKey(given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1',
    tenantId: 'ten_1',
    name: 'app',
    secretHash: '00',
    hint: 'abcd',
    scopes: ['chat'],
    groups: [],
    groupStrategy: null,
    rpm: null,
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
    ...given,
  };
}

describe('API key', () => {
  it.each([
    { name: 'without an end', given: {}, expected: true },
    { name: 'in its last millisecond', given: { expiresAtMs: 1_001 }, expected: true },
    { name: 'at its expiry', given: { expiresAtMs: 1_000 }, expected: false },
    { name: 'revoked', given: { revokedAtMs: 999 }, expected: false },
    { name: 'revoked before its expiry', given: { revokedAtMs: 999, expiresAtMs: 5_000 }, expected: false },
  ])('$name is usable: $expected', ({ given, expected }) => {
    expect(isUsable(aKey(given), 1_000)).toBe(expected);
  });

  it.each<{ scope: Scope; grants: readonly Scope[] }>([
    { scope: 'chat', grants: ['chat'] },
    { scope: 'operator', grants: ['tenant:admin', 'policy:write', 'policy:read', 'audit:read', 'operator'] },
    { scope: 'tenant:admin', grants: ['tenant:admin', 'policy:write', 'policy:read', 'audit:read'] },
    { scope: 'policy:write', grants: ['policy:write', 'policy:read'] },
    { scope: 'policy:read', grants: ['policy:read'] },
    { scope: 'audit:read', grants: ['audit:read'] },
  ])('with the scope $scope may do $grants', ({ scope, grants }) => {
    const key = aKey({ scopes: [scope] });

    expect(SCOPES.filter((wanted) => hasScope(key, wanted))).toEqual(grants);
  });

  it('without a scope may do nothing', () => {
    expect(SCOPES.filter((wanted) => hasScope(aKey({ scopes: [] }), wanted))).toEqual([]);
  });
});
