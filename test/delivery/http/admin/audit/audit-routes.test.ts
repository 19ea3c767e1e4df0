import { AdminGateway } from '../../../../support/admin-gateway';
import { anAuditRecord, SAMPLE_LEDGER_ROW } from '../../../../support/sample-audit-record';

const id = (number: number): string => `req_${String(number).padStart(26, '0')}`;

describe('audit records', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
    await gateway.addKey('auditor', { tenantId: 'acme', scopes: ['audit:read'] });
    gateway.audit.records.push(
      anAuditRecord(1),
      anAuditRecord(2, { service: 'shop', feature: 'search', requestedModel: 'gpt-s', apiKey: 'other-key' }),
      anAuditRecord(3, { state: 'open', closing: null }),
      anAuditRecord(4, { tenant: 'beta', state: 'failed' }),
      fallenBack(5),
    );
  });

  function fallenBack(number: number) {
    const record = anAuditRecord(number);
    if (record.closing === null) throw new Error('the sample is closed');
    const served = { route: 'an', provider: 'anthropic', model: 'claude-s', upstreamName: 'claude-s' };
    const closing = {
      ...record.closing,
      served,
      fallbackReason: 'primary_provider_5xx' as const,
      attempts: 2,
    };
    return { ...record, closing, ledger: [SAMPLE_LEDGER_ROW] };
  }

  const list = async (query: string, as = 'op'): Promise<string[]> => {
    const answer = await gateway.call('get', `/audit/records${query}`, { as });
    expect(answer.status).toBe(200);
    return answer.body.data.map(({ request_id }: { request_id: string }) => request_id);
  };

  it.each([
    ['no filter', '', [5, 4, 3, 2, 1]],
    ['a tenant', '?tenant=beta', [4]],
    ['a state', '?state=open', [3]],
    ['a served model', '?model=claude-s', [5]],
    ['a requested model', '?requested_model=gpt-s', [2]],
    ['a provider', '?provider=anthropic', [5]],
    ['fallbacks', '?fallback=true', [5]],
    ['no fallbacks', '?fallback=false', [4, 3, 2, 1]],
    ['a key', '?key=other-key', [2]],
    ['a service', '?service=shop', [2]],
    ['a feature', '?feature=search', [2]],
    ['a first moment, which is included', '?from=2026-11-30T11:04:00Z', [5, 4]],
    ['a last moment, which is not', '?to=2026-11-30T11:02:00Z', [1]],
    ['moments in milliseconds', '?from=1796036580000&to=1796036640000', [3]],
    ['a moment with an offset', '?from=2026-11-30T13:04:00%2B02:00', [5, 4]],
    ['several filters', '?state=served&service=shop', [2]],
  ])('are found by %s', async (_case, query, numbers) => {
    expect(await list(query)).toEqual(numbers.map(id));
  });

  it('come in pages that are followed by cursor', async () => {
    const first = await gateway.call('get', '/audit/records?limit=2');
    gateway.audit.records.push(anAuditRecord(6));
    const second = await gateway.call(
      'get',
      `/audit/records?limit=2&cursor=${String(first.body.next_cursor)}`,
    );
    const third = await gateway.call(
      'get',
      `/audit/records?limit=2&cursor=${String(second.body.next_cursor)}`,
    );

    const numbers = [first, second, third].map(({ body }) =>
      body.data.map((row: { request_id: string }) => row.request_id),
    );
    expect(numbers).toEqual([[id(5), id(4)], [id(3), id(2)], [id(1)]]);
    expect(third.body.next_cursor).toBeNull();
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=201', 'limit'],
    ['?limit=many', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?state=lost', 'state'],
    ['?fallback=yes', 'fallback'],
    ['?from=yesterday', 'from'],
    ['?to=2026-13-01T00:00:00Z', 'to'],
    ['?cursor=abc', 'cursor'],
    ['?cursor=', 'cursor'],
    ['?cursor=' + cursorAt('req_00000000000000000000000001'), 'cursor'],
    ['?cursor=' + cursorAt('01 req_00000000000000000000000001'), 'cursor'],
    ['?cursor=' + cursorAt('-1 req_00000000000000000000000001'), 'cursor'],
    ['?tenant=a&tenant=b', 'tenant'],
    ['?teant=acme', 'teant'],
  ])('are refused with %s', async (query, param) => {
    const answer = await gateway.call('get', `/audit/records${query}`);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
  });

  it('name what a cursor has to be', async () => {
    const answer = await gateway.call('get', '/audit/records?cursor=abc');

    expect(answer.body.error.message).toBe('cursor: must be the next_cursor of an earlier page');
  });

  it('are read with their ledger', async () => {
    const answer = await gateway.call('get', `/audit/records/${id(5)}`, { as: 'auditor' });

    expect(answer.body).toMatchObject({
      request_id: id(5),
      tenant: 'acme',
      key: 'acme-app',
      state: 'served',
      opened_at: '2026-11-30T11:05:00.000Z',
      closed_at: '2026-11-30T11:05:00.900Z',
      requested_model: 'auto',
      policy: { name: 'main', version: 3 },
      planned: [{ offering: 'oa-1', provider: 'openai', model: 'gpt-s' }],
      served: { offering: 'an', provider: 'anthropic', model: 'claude-s', upstream_name: 'claude-s' },
      fallback_reason: 'primary_provider_5xx',
      attempts: 2,
      usage: { input_tokens: 10, output_tokens: 5, source: 'provider' },
      cost_micro_usd: 3,
      ledger: [
        {
          number: 1,
          action: 'initial',
          offering: 'oa-1',
          status: 503,
          fault: 'server_error',
          code: 'overloaded',
          started_at: '2026-11-30T11:00:00.000Z',
          headers_at: null,
          ended_at: '2026-11-30T11:00:00.040Z',
          upstream_request_id: 'up-1',
        },
      ],
    });
  });

  it('that are open have nothing of an end', async () => {
    const answer = await gateway.call('get', `/audit/records/${id(3)}`);

    expect(answer.body).toMatchObject({
      state: 'open',
      closed_at: null,
      served: null,
      usage: null,
      attempts: null,
    });
  });

  it('of another tenant are neither listed nor found', async () => {
    const own = await list('', 'auditor');
    const others = await list('?tenant=beta', 'auditor');
    const found = await gateway.call('get', `/audit/records/${id(4)}`, { as: 'auditor' });
    const missing = await gateway.call('get', `/audit/records/${id(9)}`, { as: 'auditor' });

    expect(own).toEqual([5, 3, 2, 1].map(id));
    expect(others).toEqual([]);
    expect([found.status, missing.status]).toEqual([404, 404]);
    expect(found.body.error.message.replace(id(4), '')).toBe(missing.body.error.message.replace(id(9), ''));
  });
});

function cursorAt(place: string): string {
  return Buffer.from(place).toString('base64url');
}
