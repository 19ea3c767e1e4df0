import type { ApiKey } from '../../../src/domain/tenant/api-key';
import { QueryAudit } from '../../../src/usecase/audit/query-audit';
import { InMemoryAuditLog } from '../../support/in-memory-audit-log';
import { anAuditRecord } from '../../support/sample-audit-record';

const reader = (given: Partial<ApiKey>): ApiKey => ({
  id: 'k',
  tenantId: null,
  name: 'k',
  secretHash: 'h',
  hint: 'h',
  scopes: ['audit:read'],
  groups: [],
  groupStrategy: null,
  rpm: null,
  createdAtMs: 0,
  expiresAtMs: null,
  revokedAtMs: null,
  ...given,
});

describe('the audit log', () => {
  const log = new InMemoryAuditLog();
  log.records.push(anAuditRecord(1), anAuditRecord(2, { tenant: 'beta' }));
  const queryAudit = new QueryAudit(log);

  it.each([
    ['an operator’s key', reader({ scopes: ['operator'] }), {}, ['beta', 'acme']],
    [
      'an operator’s key that asks for a tenant',
      reader({ scopes: ['operator'] }),
      { tenant: 'acme' },
      ['acme'],
    ],
    ['a tenant’s key', reader({ tenantId: 'beta' }), {}, ['beta']],
    ['a tenant’s key that asks for itself', reader({ tenantId: 'beta' }), { tenant: 'beta' }, ['beta']],
    ['a tenant’s key that asks for another', reader({ tenantId: 'beta' }), { tenant: 'acme' }, []],
    [
      'a tenant’s key that claims to be an operator’s',
      reader({ tenantId: 'beta', scopes: ['operator'] }),
      {},
      ['beta'],
    ],
    ['a key of nobody', reader({}), {}, []],
  ])('shows %s what is its own', async (_case, key, filter, tenants) => {
    const page = await queryAudit.page(filter, { after: null, limit: 10 }, key);

    expect(page.records.map(({ tenant }) => tenant)).toEqual(tenants);
  });

  it.each([
    ['an operator’s key', reader({ scopes: ['operator'] }), true],
    ['its tenant’s key', reader({ tenantId: 'acme' }), true],
    ['another tenant’s key', reader({ tenantId: 'beta' }), false],
    ['a key of nobody', reader({}), false],
  ])('gives one record to %s: %s', async (_case, key, found) => {
    const record = await queryAudit.record(anAuditRecord(1).requestId, key);

    expect(record.ok).toBe(found);
  });
});
