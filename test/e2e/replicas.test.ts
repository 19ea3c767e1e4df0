import { eventually } from '../support/eventually';
import type { Json } from '../support/gateway';
import { haikuFirst, HAIKU, miniFirst, MINI } from '../support/gateway-policy';
import type { ServingProcess } from '../support/gateway-process';
import { ProcessStage } from '../support/process-stage';
import { describeWithRedisServer } from '../support/redis';
import { RedisServer } from '../support/redis-server';

/** DESIGN §6 and §10: two processes on one store and one Redis learn from each other, and each goes on without it. */

jest.setTimeout(60_000);

const NO_RETRY = { retry: { max_retries: 0 } };
const DOWN = { kind: 'status', status: 503 } as const;

describeWithRedisServer('two replicas with one Redis', () => {
  let redis: RedisServer;
  let stage: ProcessStage;
  let replicas: readonly ServingProcess[] = [];

  beforeAll(async () => {
    [redis, stage] = await Promise.all([RedisServer.start(), ProcessStage.start()]);
    stage.clear();
    const first = await serve();
    await stage.setUp(first, { mini: miniFirst(NO_RETRY), haiku: haikuFirst(NO_RETRY) });
    replicas = [first, await serve()];
  });
  afterAll(async () => {
    await stage.endAll();
    await Promise.all([stage.stop(), redis.kill()]);
  });

  const serve = (): Promise<ServingProcess> => stage.serve({ REDIS_URL: redis.url });

  async function ask(replica: number, { model }: typeof MINI): Promise<Response> {
    const response = await stage.chat(replicas[replica]!, { model });
    await response.arrayBuffer();
    return response;
  }

  const read = async (replica: number, path: string): Promise<string> =>
    (await fetch(`${replicas[replica]!.url}${path}`)).text();

  const health = (replica: number): Promise<Json> => stage.admin(replicas[replica]!, 'GET', '/health');

  async function circuit(replica: number, offering: string): Promise<string> {
    const { routes } = await health(replica);
    return String(routes!.find((route) => String(route['offering']) === offering)!['circuit']!['state']);
  }

  const sharing = async (replica: number): Promise<unknown> =>
    (JSON.parse(await read(replica, '/readyz')) as Json)['sharing'];

  it('a provider that fails at one is not called by the other', async () => {
    stage.openai.setBehaviour(DOWN);
    for (let failure = 0; failure < 3; failure += 1) expect((await ask(0, MINI)).status).toBe(200);
    await eventually(async () => expect(await circuit(1, 'mini')).toBe('open'));

    const answered = await ask(1, MINI);

    expect(answered.status).toBe(200);
    expect(answered.headers.get('x-schneeai-fallback-reason')).toBe('primary_circuit_open');
    expect(stage.openai.received).toHaveLength(3);
    expect((await health(1))['sharing']).toBe('shared');
    expect(await read(1, '/metrics')).toContain('schneeai_redis_up 1');
  });

  it('without Redis both serve and are ready, say that they are alone, and share again when it is back', async () => {
    stage.openai.setBehaviour({ kind: 'answer' });
    await redis.kill();
    await eventually(async () => expect([await sharing(0), await sharing(1)]).toEqual(['alone', 'alone']));
    expect(await read(1, '/metrics')).toContain('schneeai_redis_up 0');

    stage.anthropic.setBehaviour(DOWN);
    const alone = [await ask(0, HAIKU), await ask(0, HAIKU), await ask(0, HAIKU)];
    expect(await circuit(0, 'haiku')).toBe('open');
    expect(await circuit(1, 'haiku')).toBe('closed');
    stage.anthropic.setBehaviour({ kind: 'answer' });
    expect((await ask(1, HAIKU)).status).toBe(200);

    await redis.start();
    await eventually(async () => expect(await circuit(1, 'haiku')).toBe('open'));
    expect(await sharing(0)).toBe('shared');
    expect(alone.map(({ status }) => status)).toEqual([502, 502, 502]);
  });

  it('a replica that starts now knows it before its first request', async () => {
    const late = await serve();
    replicas = [...replicas, late];

    expect(await circuit(2, 'haiku')).toBe('open');
  });
});
