import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { TENANT, TestGateway, type Json } from '../support/gateway';
import { only, MINI } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await gateway.reset();
  // The upstreams of before are gone for the gateway, and what was seen of them with it.
  await gateway.put('/offerings/mini', offering('gpt-4o-mini', 'openai-us'));
  await gateway.put('/offerings/haiku', offering('claude-haiku-4-5', 'anthropic-us'));
});

const ALL = [
  ...['answer', 'identity', 'usage', 'streaming', 'stream_usage', 'tools', 'tool_results'],
  ...['forced_tool_choice', 'json_schema', 'limits', 'errors'],
];
const messages = [{ role: 'user', content: 'Hi' }];
const snow = { type: 'function', function: { name: 'snow', parameters: { type: 'object' } } };

const LONG_ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'snow '.repeat(50) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 60, total_tokens: 65 },
};

let renamed = 0;

/** A name of a new version each time, so that no check of an earlier test is about it. */
function offering(model: string, channel: string): object {
  renamed += 1;
  const version = `20260101${String(renamed).padStart(2, '0')}`.slice(-8);
  const price = { input: 1_000_000, output: 2_000_000 };
  return { channel, model, upstream_name: `${model}-${version}`, price };
}

async function verify(channel: string, body?: object): Promise<Json> {
  const verified = await gateway.admin('POST', `/channels/${channel}/verify`, body);
  expect(verified.status).toBe(200);
  return verified.body;
}

async function verdicts(channel: string): Promise<Record<string, string>> {
  const { offerings } = await verify(channel);
  const checks = [...offerings![0]!['checks']!];
  return Object.fromEntries(
    checks.map(({ check, verdict, code }) => [
      String(check),
      code === null ? String(verdict) : `${verdict} ${code}`,
    ]),
  );
}

const everyCheck = (verdict: string) => Object.fromEntries(ALL.map((check) => [check, verdict]));

describe('a verification', () => {
  it.each(['openai-us', 'anthropic-us'])(
    'passes an upstream that keeps its contract (%s)',
    async (channel) => {
      expect(await verdicts(channel)).toEqual(everyCheck('passed'));
    },
  );

  it('tells its calls and its cost, and keeps what it saw', async () => {
    const verified = await verify('openai-us');

    expect(gateway.openai.received).toHaveLength(8);
    expect(verified).toMatchObject({ channel: 'openai-us', calls: 8, offerings: [{ offering: 'mini' }] });
    expect(Number(verified['cost_micro_usd'])).toBeGreaterThan(0);
    const { body } = await gateway.admin('GET', '/channels/openai-us/checks');
    expect(body['data']).toEqual(verified['offerings']);
  });

  it('spends few tokens', async () => {
    await verify('openai-us');

    const limits = gateway.openai.received.map(({ body }) => (body as Json)['max_completion_tokens']);
    expect(limits).toEqual([512, 512, 512, 512, 512, 512, 16, undefined]);
  });

  it.each<[string, Behaviour, Record<string, string>]>([
    [
      'ignores tools and schemas',
      { kind: 'answer', text: 'It is cold.' },
      {
        tools: 'failed no_tool_call',
        tool_results: 'inconclusive no_tool_call',
        forced_tool_choice: 'failed no_tool_call',
        json_schema: 'failed schema_not_kept',
        limits: 'inconclusive limit_not_reached',
      },
    ],
    [
      'tells no usage',
      { kind: 'answer', usage: null },
      { usage: 'failed no_usage', stream_usage: 'failed no_usage' },
    ],
    [
      'answers with another model',
      { kind: 'answer', model: 'gpt-3.5-turbo' },
      { identity: 'failed another_model' },
    ],
    [
      'says what it always says, whatever was asked',
      { kind: 'status', status: 200, body: LONG_ANSWER },
      {
        tools: 'failed no_tool_call',
        tool_results: 'inconclusive no_tool_call',
        forced_tool_choice: 'failed no_tool_call',
        json_schema: 'failed schema_not_kept',
        limits: 'failed limit_not_kept',
        errors: 'failed accepted',
      },
    ],
    [
      'does not answer what it was asked',
      { kind: 'garbage', form: 'html' },
      {
        ...everyCheck('failed not_json'),
        streaming: 'failed not_json',
        stream_usage: 'failed not_json',
        tool_results: 'inconclusive no_tool_call',
        // Its garbage is for those only whom it takes.
        errors: 'passed',
      },
    ],
  ])('finds an upstream that %s', async (_name, behaviour, found) => {
    gateway.openai.setBehaviour(behaviour);

    expect(await verdicts('openai-us')).toEqual({ ...everyCheck('passed'), ...found });
  });

  it('asks by the older name of the limit where the newer one is refused', async () => {
    gateway.openai.enqueue({ kind: 'status', status: 422 });

    expect(await verdicts('openai-us')).toEqual(everyCheck('passed'));
    const limits = gateway.openai.received.map(({ body }) => (body as Json)['max_tokens']);
    expect(limits).toEqual([undefined, 512, 512, 512, 512, 512, 512, 16, undefined]);
  });

  it('takes a 500 for a wrong request as a failure', async () => {
    const answer = { kind: 'answer' } as const;
    gateway.openai.enqueue(...Array.from({ length: 7 }, () => answer), { kind: 'status', status: 500 });

    expect(await verdicts('openai-us')).toEqual({
      ...everyCheck('passed'),
      errors: 'failed server_error',
    });
  });

  it('shows nothing by weather, and makes void nothing that was seen before', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', text: 'It is cold.' });
    await verify('openai-us');
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });

    const found = await verdicts('openai-us');

    expect(found['tools']).toMatch(/^inconclusive/);
    const { body } = await gateway.admin('GET', '/channels/openai-us/checks');
    expect([...body['data']![0]!['checks']!].find(({ check }) => check === 'tools')).toMatchObject({
      verdict: 'failed',
      code: 'no_tool_call',
    });
  });

  it('ends with the first call that shows a fault of our own account', async () => {
    gateway.openai.setBehaviour({ kind: 'status', status: 401 });

    const found = await verdicts('openai-us');

    expect(Object.values(found).every((verdict) => verdict.startsWith('inconclusive'))).toBe(true);
    expect(gateway.openai.received).toHaveLength(1);
  });

  it('counts neither for the health of a route nor in the audit', async () => {
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });
    const before = (await gateway.records()).length;
    await verify('openai-us');
    gateway.openai.reset();

    expect((await gateway.chat({ model: 'gpt-4o-mini', messages })).status).toBe(200);
    expect((await gateway.records()).length).toBe(before + 1);
  });

  it('is of the named offerings only', async () => {
    expect(await verify('openai-us', { offerings: [] })).toMatchObject({ calls: 0, offerings: [] });
    const foreign = await gateway.admin('POST', '/channels/openai-us/verify', {
      offerings: ['mini', 'haiku'],
    });
    expect(foreign.status).toBe(422);
    expect(foreign.body['error']).toMatchObject({ param: 'offerings[1]' });
  });

  it('runs once at a time for a channel', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', holdAt: 'before_headers' });
    const first = verify('openai-us');
    await gateway.openai.waitForCalls(1);

    const second = await gateway.admin('POST', '/channels/openai-us/verify');
    gateway.openai.setBehaviour({ kind: 'answer' });
    gateway.openai.release();

    expect(second.status).toBe(409);
    expect((await first)['calls']).toBe(8);
    expect((await gateway.admin('POST', '/channels/openai-us/verify', { offerings: [] })).status).toBe(200);
  });

  it('never keeps or tells what was said', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', text: 'canary-of-the-answer' });

    const told = JSON.stringify(await verify('openai-us'));

    expect(told).not.toContain('canary-of-the-answer');
    expect(gateway.logLines.join()).not.toContain('canary-of-the-answer');
  });

  it.each([
    ['an unknown channel', '/channels/none/verify', 404],
    ['the checks of an unknown channel', '/channels/none/checks', 404],
  ])('answers %s', async (_name, path, status) => {
    const method = path.endsWith('verify') ? 'POST' : 'GET';

    expect((await gateway.admin(method, path)).status).toBe(status);
  });

  it('is for operators', async () => {
    const key = await gateway.issueKey(TENANT, { scopes: ['tenant:admin'] });

    expect((await gateway.admin('POST', '/channels/openai-us/verify', undefined, key)).status).toBe(403);
  });
});

describe('an offering with failed checks', () => {
  it('is refused to the requests that need what failed, and serves the others', async () => {
    await gateway.putPolicy(only(MINI));
    gateway.openai.setBehaviour({ kind: 'answer', text: 'It is cold.' });
    await verify('openai-us');
    gateway.openai.reset();

    const withTools = await gateway.chat({ model: 'gpt-4o-mini', messages, tools: [snow] });
    const plain = await gateway.chat({ model: 'gpt-4o-mini', messages });

    expect(withTools.status).toBe(400);
    expect(withTools.body['error']).toMatchObject({ code: 'unsupported_parameter', param: 'tools' });
    expect(String(withTools.body['error']!['message'])).toMatch(
      /the check 'tools' of this offering failed at \d{4}-\d\d-\d\dT[\d:]{8}Z \(no_tool_call\)/,
    );
    expect(plain.status).toBe(200);
    expect(gateway.openai.received).toHaveLength(1);
  });

  it('is refused to everybody when another model answers', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', model: 'gpt-3.5-turbo' });
    await verify('openai-us');

    const refused = await gateway.chat({ model: 'gpt-4o-mini', messages });

    expect(refused.status).toBe(400);
    expect(refused.body['error']).toMatchObject({ code: 'unsupported_value', param: 'model' });
  });

  it('serves again when it passes, and when its upstream is another one', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', model: 'gpt-3.5-turbo' });
    await verify('openai-us');
    gateway.openai.reset();
    await verify('openai-us');
    const passed = await gateway.chat({ model: 'gpt-4o-mini', messages });
    gateway.openai.setBehaviour({ kind: 'answer', model: 'gpt-3.5-turbo' });
    await verify('openai-us');
    await gateway.put('/offerings/mini', offering('gpt-4o-mini', 'openai-us'));

    const changed = await gateway.chat({ model: 'gpt-4o-mini', messages });

    expect(passed.status).toBe(200);
    expect(changed.status).toBe(200);
  });
});
