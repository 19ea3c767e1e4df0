import { TestGateway, type Json } from '../support/gateway';
import { miniFirst } from '../support/gateway-policy';
import { describeOnPostgres, TestDatabase } from '../support/postgres/test-database';
import { eventually } from '../support/eventually';

const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] };
const DOWN = { kind: 'status', status: 503 } as const;
const DB_PASSWORD = 'a-password-that-nobody-may-read';

describeOnPostgres('a gateway on PostgreSQL', () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await TestDatabase.create('empty');
    const url = new URL(database.url.reveal());
    // Where the server trusts this machine it asks for none, and takes any.
    if (url.password === '') url.password = DB_PASSWORD;
    gateway = await TestGateway.start({ environment: { DATABASE_URL: url.href } });
  });
  afterAll(async () => {
    await gateway.stop();
    await database.drop();
  });
  beforeEach(() => gateway.reset());

  const get = async (path: string): Promise<Json> => (await gateway.admin('GET', path)).body;

  it('fails over, and keeps the whole ledger', async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour(DOWN);

    const { status, headers } = await gateway.chat(ASK);

    const record = await gateway.record(headers.get('x-request-id'));
    expect(status).toBe(200);
    expect(record).toMatchObject({
      state: 'served',
      policy: { name: 'default', version: 1 },
      served: { provider: 'anthropic', model: 'claude-haiku-4-5' },
      ledger: [
        { number: 1, action: 'initial', provider: 'openai', status: 503 },
        { number: 2, action: 'retry', provider: 'openai', status: 503 },
        { number: 3, action: 'model_fallback', provider: 'anthropic', status: 200 },
      ],
    });
  });

  it('serves many callers at once, each with a record of his own, in chains that verify', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => gateway.chat(ASK)));

    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    const states = await Promise.all(ids.map(async (id) => (await gateway.record(id))['state']));
    expect(states).toEqual(ids.map(() => 'served'));
    const verification = await get('/audit/verify');
    expect(verification).toMatchObject({ intact: true, breaks: [] });
  });

  it('pages through records by time and id, exports them, and adds up their usage', async () => {
    const first = await get('/audit/records?limit=7');
    const second = await get(`/audit/records?limit=7&cursor=${String(first['next_cursor'])}`);
    const exported = await gateway.admin('GET', '/audit/export?format=ndjson');
    const usage = await get('/tenants/acme/usage?group_by=provider&from=0&to=4102444800000');

    const idsOf = (page: Json): string[] =>
      (page['data'] as Json).map((record) => String(record['request_id']));
    const newestFirst = [...idsOf(first), ...idsOf(second)];
    expect(new Set(newestFirst).size).toBe(14);
    expect(newestFirst).toEqual([...newestFirst].sort().reverse());
    expect(exported.text.trim().split('\n').length).toBeGreaterThanOrEqual(60);
    expect(JSON.stringify(usage)).toContain('anthropic');
  });

  it('goes on after every connection was cut, and says nothing of its password', async () => {
    await database.cutConnections();

    const answered = await eventually(async () => {
      const { status } = await gateway.chat(ASK);
      expect(status).toBe(200);
      return status;
    });

    expect(answered).toBe(200);
    await eventually(async () => expect((await gateway.send('GET', '/readyz')).status).toBe(200));
    expect(gateway.logLines.join('')).toContain('connection to the store lost');
    expect(gateway.logLines.join('')).not.toContain(new URL(database.url.reveal()).password || DB_PASSWORD);
  });

  it('answers 503 before any provider is called while the store takes no writes', async () => {
    await database.onServer(`alter database "${database.name}" set default_transaction_read_only = on`);
    await database.cutConnections();
    await eventually(async () => expect((await gateway.chat(ASK)).status).toBe(503));
    const before = gateway.openai.received.length;

    const { status, body } = await gateway.chat(ASK);

    expect(status).toBe(503);
    expect(body).toMatchObject({ error: { code: 'audit_unavailable' } });
    expect(gateway.openai.received).toHaveLength(before);
    await eventually(async () => expect((await gateway.send('GET', '/readyz')).status).toBe(503));
    await database.onServer(`alter database "${database.name}" reset default_transaction_read_only`);
    await database.cutConnections();
    await eventually(async () => expect((await gateway.chat(ASK)).status).toBe(200));
  });
});
