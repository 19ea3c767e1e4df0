import { eventually } from '../support/eventually';
import { TestGateway, type Answered } from '../support/gateway';
import { miniFirst, timeouts } from '../support/gateway-policy';
import { SleeplessTime } from '../support/gateway-time';
import { connect, describeWithRedis, forget, ownPrefix, TEST_REDIS_URL } from '../support/redis';

/** B28 of a fleet: the herd stands before several replicas, and still one request tries. */
const HERD = 20;
const OPEN_MS = 60_000;
const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };

describeWithRedis('forty requests at once, at two replicas, for a primary that is healthy again', () => {
  const time = new SleeplessTime();
  const prefix = ownPrefix();
  let replicas: readonly TestGateway[];

  beforeAll(async () => {
    const environment = { REDIS_URL: TEST_REDIS_URL, SCHNEEAI_REDIS_PREFIX: prefix };
    replicas = await Promise.all([1, 2].map(() => TestGateway.start({ time, environment })));
    const policy = miniFirst({ retry: { max_retries: 0 }, ...timeouts({ headers_ms: 3_000 }) });
    for (const replica of replicas) await replica.putPolicy(policy);
  });
  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

  const callsOfPrimary = (): number =>
    replicas.reduce((calls, { openai }) => calls + openai.received.length, 0);

  async function circuits(): Promise<readonly string[]> {
    const healths = await Promise.all(replicas.map((replica) => replica.admin('GET', '/health')));
    return healths.map(({ body }) =>
      String(body['routes']!.find(({ offering }) => String(offering) === 'mini')!['circuit']!['state']),
    );
  }

  it('try it once, and the others have the fallback at once', async () => {
    for (const { openai } of replicas) openai.setBehaviour({ kind: 'status', status: 503 });
    for (let failure = 0; failure < 3; failure += 1) await replicas[0]!.chat(ASK);
    await eventually(async () => expect(await circuits()).toEqual(['open', 'open']));
    time.skip(OPEN_MS);
    // Their time is over for Redis, too, whose clock can't be moved.
    const redis = await connect(TEST_REDIS_URL, prefix);
    await forget(redis);
    await redis.close();
    for (const { openai } of replicas) openai.setBehaviour({ kind: 'answer', holdAt: 'before_headers' });

    const answered: Answered[] = [];
    await Promise.all(
      replicas.flatMap((replica) =>
        Array.from({ length: HERD }, async () => {
          answered.push(await replica.chat(ASK));
          if (answered.length < 2 * HERD - 1) return;
          await eventually(() => expect(callsOfPrimary()).toBe(4));
          for (const { openai } of replicas) openai.release();
        }),
      ),
    );

    expect(callsOfPrimary()).toBe(4);
    expect(answered.map(({ status }) => status)).toEqual(Array<number>(2 * HERD).fill(200));
    const reasons = answered.map(({ headers }) => headers.get('x-schneeai-fallback-reason'));
    expect(reasons.filter((reason) => reason === 'primary_circuit_open')).toHaveLength(2 * HERD - 1);
    await eventually(async () => expect(await circuits()).toEqual(['closed', 'closed']));
  });
});
