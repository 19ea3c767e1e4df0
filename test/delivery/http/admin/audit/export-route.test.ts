import { csvRow } from '../../../../../src/delivery/http/admin/audit/csv-row';
import { AdminGateway } from '../../../../support/admin-gateway';
import { anAuditRecord, SAMPLE_LEDGER_ROW } from '../../../../support/sample-audit-record';

describe('GET /audit/export', () => {
  let gateway: AdminGateway;
  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const exported = async (query: string, as = 'op'): Promise<string> =>
    (
      await gateway
        .call('get', `/audit/export${query}`, { as })
        .buffer(true)
        .parse((res, done) => {
          let text = '';
          res.setEncoding('utf8');
          res.on('data', (piece: string) => (text += piece));
          res.on('end', () => done(null, text));
        })
    ).body as string;

  it('gives every record of many pages, newest first, each with its ledger', async () => {
    for (let number = 1; number <= 450; number += 1) gateway.audit.records.push(anAuditRecord(number));

    const lines = (await exported('')).trimEnd().split('\n');

    const ids = lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id);
    expect(ids).toHaveLength(450);
    expect(ids[0]).toBe('req_00000000000000000000000450');
    expect(ids[449]).toBe('req_00000000000000000000000001');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ledger: [] });
  });

  it.each(['=1', ' =1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a'])(
    'gives no table in which %s is a formula',
    (formula) => {
      expect(csvRow([formula, 1])).toBe(`'${formula},1\r\n`);
    },
  );

  it('gives a table without formulas', async () => {
    gateway.audit.records.push(
      anAuditRecord(1, { service: '=HYPERLINK("http://x")', feature: '@SUM(A1)', requestedModel: 'a,"b"' }),
    );

    const [header = '', row = '', end] = (await exported('?format=csv')).split('\r\n');

    expect(header.split(',').slice(0, 4)).toEqual(['request_id', 'tenant', 'key', 'state']);
    expect(row).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(row).toContain(`,'@SUM(A1),`);
    expect(row).toContain(',"a,""b""",');
    expect(end).toBe('');
  });

  it('gives a row per attempt', async () => {
    const second = { ...SAMPLE_LEDGER_ROW, number: 2, action: 'retry' as const };
    gateway.audit.records.push(anAuditRecord(1, { ledger: [SAMPLE_LEDGER_ROW, second] }));

    const rows = (await exported('?format=csv&rows=attempts')).trimEnd().split('\r\n').slice(1);

    expect(rows.map((row) => row.split(',').slice(0, 4))).toEqual([
      ['req_00000000000000000000000001', 'acme', '1', 'initial'],
      ['req_00000000000000000000000001', 'acme', '2', 'retry'],
    ]);
  });

  it('gives an empty table its header', async () => {
    expect((await exported('?format=csv')).split('\r\n')).toHaveLength(2);
  });

  it('gives a tenant its own records only', async () => {
    gateway.audit.records.push(anAuditRecord(1), anAuditRecord(2, { tenant: 'beta', apiKey: 'beta-app' }));

    const text = await exported('', 'beta-admin');

    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(text).not.toContain('acme');
  });

  it('refuses a format that it lacks', async () => {
    const answer = await gateway.call('get', '/audit/export?format=xlsx');

    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe('format');
  });

  it('is an error, not an empty file, while the store is gone', async () => {
    gateway.audit.page = () => Promise.reject(new Error('gone'));

    const answer = await gateway.call('get', '/audit/export');

    expect(answer.status).toBe(500);
  });
});

describe('GET /audit/verify', () => {
  it('tells a tenant that something is wrong elsewhere, and nothing of it', async () => {
    const gateway = await AdminGateway.start();
    gateway.trail.strayed = {
      unchained: [{ tenant: 'acme', records: 1 }],
      expectedUnchained: 0,
      newestUnchained: { requestId: 'req_1', tenant: 'acme' },
      misplaced: null,
      misplacedWriter: null,
    };

    const own = await gateway.call('get', '/audit/verify', { as: 'acme-admin' });
    const foreign = await gateway.call('get', '/audit/verify', { as: 'beta-admin' });

    expect(own.body).toMatchObject({
      intact: false,
      unchained: 1,
      first_break: { what: 'inserted', record: { id: 'req_1' } },
      broken_elsewhere: false,
    });
    expect(foreign.body).toEqual({
      intact: false,
      verified: 0,
      unchained: 0,
      first_break: null,
      breaks: [],
      broken_elsewhere: true,
    });
  });
});
