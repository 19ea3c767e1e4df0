import { AdminGateway } from '../../../../support/admin-gateway';

const PATH = '/tenants/acme/archive';
/** The clock stands at noon. */
const UNTIL = '2026-12-01T12:00:00.000Z';

describe('the archive of a tenant', () => {
  let gateway: AdminGateway;
  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const call = (method: 'get' | 'put' | 'delete', path = '', body?: object) =>
    gateway.call(method, `${PATH}${path}`, { as: 'acme-admin', body });
  const archived = async (requestId: string, text = 'Hello') => {
    const place = { tenant: 'acme', requestId };
    const content = { request: { text, characters: 5 }, answer: null };
    const sealed = gateway.archive.vault.seal(content, place);
    const archivedAtMs = gateway.clock.nowMs();
    await gateway.archive.add([{ ...place, archivedAtMs, expiresAtMs: archivedAtMs + 1_000, sealed }]);
  };

  it('is off, switched on for a time, and off again', async () => {
    const off = await call('get');
    const on = await call('put', '', { until: UNTIL });
    const read = await call('get');
    const again = await call('put', '', read.body.term as object);
    await archived('req_1');
    const destroyed = await call('delete');

    expect(off.body).toEqual({ archiving: false, term: null });
    const term = { until: UNTIL, retention_hours: 24, include: ['request', 'answer'] };
    expect([on.status, on.body]).toEqual([200, { archiving: true, term }]);
    expect(read.body).toEqual(on.body);
    expect(again.body).toEqual(on.body);
    expect(destroyed.status).toBe(204);
    expect(gateway.archive.entries).toEqual([]);
    expect((await call('get')).body).toEqual(off.body);
  });

  it('is off by itself when its time is over', async () => {
    await call('put', '', { until: UNTIL });

    await gateway.clock.advance(24 * 3_600_000);

    expect((await call('get')).body).toMatchObject({ archiving: false, term: { until: UNTIL } });
  });

  it.each<[name: string, body: object, status: number, param: string]>([
    ['no end', {}, 400, 'until'],
    ['an end in words', { until: 'tomorrow' }, 400, 'until'],
    ['an end that is past', { until: '2026-11-30T12:00:00Z' }, 422, 'until'],
    ['an end in eight days', { until: '2026-12-08T12:00:00Z' }, 422, 'until'],
    ['too long a retention', { until: UNTIL, retention_hours: 73 }, 400, 'retention_hours'],
    ['no retention', { until: UNTIL, retention_hours: null }, 400, 'retention_hours'],
    ['nothing to keep', { until: UNTIL, include: [] }, 400, 'include'],
    ['a part that there is not', { until: UNTIL, include: ['thoughts'] }, 400, 'include'],
    ['a part twice', { until: UNTIL, include: ['answer', 'answer'] }, 400, 'include'],
    ['an unknown field', { until: UNTIL, for: 'ever' }, 400, 'for'],
  ])('is not switched on with %s', async (_name, body, status, param) => {
    const answer = await call('put', '', body);

    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it('lists ids and times, page by page, and shows what was said on record only', async () => {
    await call('put', '', { until: UNTIL });
    const [older, newer] = [1, 2].map((number) => `req_${String(number).padStart(26, '0')}`) as [
      string,
      string,
    ];
    await archived(older);
    await archived(newer);

    const first = await call('get', '/requests?limit=1');
    const second = await call('get', `/requests?limit=1&cursor=${String(first.body.next_cursor)}`);

    const times = { archived_at: '2026-11-30T12:00:00.000Z', expires_at: '2026-11-30T12:00:01.000Z' };
    expect(first.body.data).toEqual([{ request_id: newer, ...times }]);
    expect(second.body).toEqual({ data: [{ request_id: older, ...times }], next_cursor: null });
    expect(gateway.archive.readings).toEqual([]);

    const read = await call('get', `/requests/${older}`);

    expect(read.body).toEqual({
      request_id: older,
      ...times,
      request: { text: 'Hello', characters: 5, truncated: false },
      answer: null,
    });
    expect(gateway.archive.readings).toEqual([older]);
  });

  it('shows nothing that it can not put on record', async () => {
    await call('put', '', { until: UNTIL });
    await archived('req_1');
    gateway.archive.unavailable = true;

    const answer = await call('get', '/requests/req_1');

    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain('Hello');
  });

  it('says what it can not decrypt', async () => {
    await call('put', '', { until: UNTIL });
    await archived('req_1');
    gateway.archive.entries[0] = { ...gateway.archive.entries[0]!, requestId: 'req_2' };

    const answer = await call('get', '/requests/req_2');

    expect([answer.status, answer.body.error.message]).toEqual([
      404,
      "What was archived of 'req_2' can't be decrypted: it was changed, or the secret key of the gateway was.",
    ]);
    expect(gateway.archive.reports).toEqual([['unreadable', 'req_2']]);
  });

  it('has nothing that it does not have', async () => {
    expect((await call('get', '/requests/req_9')).status).toBe(404);
  });
});
