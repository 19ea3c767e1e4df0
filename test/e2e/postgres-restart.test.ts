import { eventually } from '../support/eventually';
import { buildProduct, type Build } from '../support/gateway-build';
import { miniFirst } from '../support/gateway-policy';
import { OwnServer } from '../support/postgres/own-server';
import { Replica, type Keys } from '../support/postgres/replica';
import { describeOnPostgres } from '../support/postgres/test-database';
import { startProviders, type SimulatedProviders } from '../support/simulated-providers';

/** DESIGN §12 on PostgreSQL: the server is restarted under load, and the gateway is killed under load. */

jest.setTimeout(90_000);

const CALLERS = 8;

describeOnPostgres('a gateway under load', () => {
  let build: Build;
  let server: OwnServer;
  let providers: SimulatedProviders;
  let gateway: Replica;
  let keys: Keys;

  beforeAll(async () => {
    build = buildProduct();
    server = await OwnServer.start();
    providers = await startProviders();
    gateway = await Replica.start(build.main, server.url);
    keys = gateway.keys;
    await gateway.register(providers, keys.operator);
    await gateway.admin('PUT', '/tenants/demo/routing-policies/default', keys.operator, miniFirst());
  });
  afterAll(async () => {
    await gateway.end();
    await Promise.all([providers.openai.stop(), providers.anthropic.stop(), server.remove()]);
  });

  /** Callers who ask again and again until they are told to stop; what each was answered. */
  function load(): Readonly<{ statuses: number[]; served: string[]; stop: () => Promise<void> }> {
    const statuses: number[] = [];
    const served: string[] = [];
    let state: 'asking' | 'stopped' = 'asking';
    const ask = async (): Promise<void> => {
      while (state === 'asking') {
        const answered = await gateway.chat(keys.chat).catch(() => null);
        if (answered === null) return;
        statuses.push(answered.status);
        if (answered.status === 200) served.push(answered.headers.get('x-request-id') ?? '');
      }
    };
    const asking = Promise.all(Array.from({ length: CALLERS }, ask));
    const stop = async (): Promise<void> => {
      state = 'stopped';
      await asking;
    };
    return { statuses, served, stop };
  }

  const isReady = async (): Promise<number> => (await gateway.call('GET', '/readyz', keys.operator)).status;

  it('calls no provider while its store is away, and goes on by itself when it is back', async () => {
    const { statuses, served, stop } = load();
    await providers.openai.waitForCalls(40);

    await server.stop();
    await eventually(async () => expect(await isReady()).toBe(503));
    const away = await gateway.chat(keys.chat);
    const calls = providers.openai.received.length;
    await eventually(() => expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(50));
    const callsWhileAway = providers.openai.received.length - calls;
    await server.restart();
    await eventually(async () => expect(await isReady()).toBe(200));
    const before = served.length;
    await eventually(() => expect(served.length).toBeGreaterThan(before + 40));
    await stop();

    expect(away).toMatchObject({ status: 503, body: { error: { code: 'audit_unavailable' } } });
    expect(callsWhileAway).toBe(0);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    const verified = await gateway.admin('GET', '/audit/verify', keys.operator);
    expect(verified.body).toMatchObject({ intact: true });
  });

  it('killed, leaves an opening record for every call, and the next start goes on', async () => {
    const before = providers.openai.received.length;
    const { stop } = load();
    await providers.openai.waitForCalls(before + 60);

    await gateway.kill();
    await stop();
    await gateway.end();
    gateway = await Replica.start(build.main, server.url);

    const called = providers.openai.received
      .slice(before)
      .map(({ headers }) => String(headers['x-client-request-id']));
    const missing: string[] = [];
    for (const id of called) {
      const { status } = await gateway.admin('GET', `/audit/records/${id.slice(0, 30)}`, keys.operator);
      if (status !== 200) missing.push(id);
    }
    expect(called.length).toBeGreaterThanOrEqual(60);
    expect(missing).toEqual([]);
    expect((await gateway.chat(keys.chat)).status).toBe(200);
  });

  it('is looked into by the commands', async () => {
    const run = (...args: string[]) => Replica.run(build.main, args, server.url);

    const [verified, migrated, created, explained] = await Promise.all([
      run('audit', 'verify'),
      run('migrate'),
      run('keys', 'create', '--name', 'rescue', '--scope', 'operator'),
      run('explain', '--tenant', 'demo', '--policy', 'default', '--model', 'gpt-4o-mini'),
    ]);

    expect([verified, migrated, created, explained].map(({ code, errors }) => [code, errors])).toEqual(
      Array(4).fill([0, '']),
    );
    expect(verified.output).toContain('intact');
    expect(migrated.output).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/postgres was up to date\.\n$/);
    expect((await gateway.admin('GET', '/tenants', created.output.trim())).status).toBe(200);
    expect(explained.output).toContain('claude-haiku-4-5');
  });
});
