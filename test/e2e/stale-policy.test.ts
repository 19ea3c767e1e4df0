import { buildProduct, type Build } from '../support/gateway-build';
import { miniFirst } from '../support/gateway-policy';
import { describeOnPostgres, TestDatabase } from '../support/postgres/test-database';
import { Replica, type Answered, type Keys } from '../support/postgres/replica';
import { startProviders, type SimulatedProviders } from '../support/simulated-providers';

/** CASES B49: a policy, or its absence, is never served longer than promised by a replica on which it was not written. */

jest.setTimeout(60_000);

/** The promise of DESIGN §10. */
const WITHIN_MS = 1_000;
/** The interval of the poll, and what its reading and a busy test machine add. */
const POLLED_WITHIN_MS = 2_500;

const QUESTION = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] };

describeOnPostgres('two replicas on one PostgreSQL', () => {
  let build: Build;
  let database: TestDatabase;
  let providers: SimulatedProviders;
  let writing: Replica;
  let serving: Replica;
  let shown: readonly Keys[];
  let keys: Keys;

  beforeAll(async () => {
    build = buildProduct();
    database = await TestDatabase.create('empty');
    providers = await startProviders();
    const start = () => Replica.start(build.main, database.url.reveal());
    [writing, serving] = await Promise.all([start(), start()]);
    shown = [writing.keys, serving.keys].filter(({ operator }) => operator !== '');
    keys = shown[0] ?? { chat: '', operator: '' };
    await writing.register(providers, keys.operator);
  });
  afterAll(async () => {
    await Promise.all([writing.end(), serving.end()]);
    await Promise.all([providers.openai.stop(), providers.anthropic.stop()]);
    await database.drop();
  });

  function admin(replica: Replica, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    return replica.admin(method, path, keys.operator, body);
  }

  /** How long it takes until the serving replica answers so, milliseconds. */
  async function until(ask: () => Promise<Answered>, status: number): Promise<number> {
    const startedAt = performance.now();
    while ((await ask()).status !== status) {
      if (performance.now() - startedAt > 10_000) throw new Error(`never answered ${status}`);
    }
    return performance.now() - startedAt;
  }

  const POLICY = '/tenants/demo/routing-policies/default';

  it('make one tenant and one set of keys, though they start at the same moment', async () => {
    const tenants = await until(() => admin(serving, 'GET', '/tenants/demo'), 200);

    expect(shown).toHaveLength(1);
    expect(tenants).toBeLessThan(POLLED_WITHIN_MS);
  });

  it('keep the version with which an interaction began, whatever is written meanwhile', async () => {
    const put = await admin(writing, 'PUT', POLICY, miniFirst());
    await until(() => admin(serving, 'GET', POLICY), 200);
    providers.openai.setBehaviour({ kind: 'answer', text: 'one two three', holdAt: 1 });
    const answering = serving.chat(keys.chat, { stream: true });
    await providers.openai.waitForCalls(1);

    await admin(writing, 'DELETE', POLICY);
    await until(() => admin(serving, 'GET', POLICY), 404);
    providers.openai.release();
    const { status, headers } = await answering;

    const recorded = await admin(serving, 'GET', `/audit/records/${headers.get('x-request-id')}`);
    expect(status).toBe(200);
    expect(recorded.body).toMatchObject({
      state: 'served',
      policy: { name: 'default', version: put.body['version'] },
    });
  });

  describe.each([
    ['told by the store', WITHIN_MS, () => Promise.resolve()],
    // The listener can't come back, and what is connected stays: only the poll is left.
    ['not told of anything, and polling once a second', POLLED_WITHIN_MS, () => cutNotifications()],
  ])('%s', (_, withinMs, prepare) => {
    it('the other one follows a policy, its absence, and the end of a key', async () => {
      await prepare();
      providers.openai.reset();
      const issued = await admin(writing, 'POST', '/tenants/demo/keys', { name: 'b49', scopes: ['chat'] });
      const key = String(issued.body['secret']);
      const ask = () => serving.chat(key);
      const keyKnown = await until(ask, 200);
      // Without a policy it stays with its provider, and this is no fault that another try could cure.
      providers.openai.setBehaviour({ kind: 'status', status: 501 });
      const before = await ask();

      const put = await admin(writing, 'PUT', POLICY, miniFirst());
      const written = await until(() => admin(serving, 'GET', POLICY), 200);
      const answered = await ask();
      const recorded = await admin(serving, 'GET', `/audit/records/${answered.headers.get('x-request-id')}`);
      const explained = await admin(serving, 'POST', `${POLICY}/explain`, { request: QUESTION });
      await admin(writing, 'DELETE', POLICY);
      const removed = await until(() => admin(serving, 'GET', POLICY), 404);
      const withoutPolicy = await ask();
      providers.openai.reset();
      await admin(writing, 'DELETE', `/tenants/demo/keys/${String(issued.body['id'])}`);
      const revoked = await until(ask, 401);

      expect(answered.status).toBe(200);
      expect(recorded.body).toMatchObject({
        policy: { name: 'default', version: put.body['version'] },
        served: { provider: 'anthropic' },
      });
      expect(JSON.stringify(explained.body)).toContain('claude-haiku-4-5');
      expect([before.status, withoutPolicy.status].map((status) => status >= 500)).toEqual([true, true]);
      for (const tookMs of [keyKnown, written, removed, revoked]) {
        expect(tookMs).toBeLessThan(withinMs);
      }
    });
  });

  async function cutNotifications(): Promise<void> {
    // Enough connections for all that follows, since there will be no new ones.
    await Promise.all(Array.from({ length: 8 }, () => admin(serving, 'GET', '/audit/records?limit=200')));
    await database.onServer(`alter database "${database.name}" with allow_connections false`);
    await database.cutConnections('schneeai-gateway-listener');
  }
});
