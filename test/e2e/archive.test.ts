import type { DependencyContainer } from 'tsyringe';
import { PurgeArchive } from '../../src/usecase/archive/purge-archive';
import { eventually } from '../support/eventually';
import { TENANT, TestGateway, type Json } from '../support/gateway';
import { SleeplessTime } from '../support/gateway-time';

const PROMPT = 'canary-prompt-5d20: what is wrong with my knee';
const ANSWER = 'canary-answer-e1f7';
const PATH = `/tenants/${TENANT}/archive`;
const HOUR_MS = 3_600_000;

describe('the archive of prompts and answers', () => {
  const time = new SleeplessTime();
  let container: DependencyContainer;
  let gateway: TestGateway;
  let admin: string;

  beforeAll(async () => {
    gateway = await TestGateway.start({ time, overrides: (given) => (container = given) });
    admin = await gateway.issueKey(TENANT, { scopes: ['tenant:admin'] });
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    await gateway.reset();
    gateway.openai.setBehaviour({ kind: 'answer', text: ANSWER });
  });
  afterEach(() => gateway.admin('DELETE', PATH));

  const ask = (more: object = {}, headers: object = {}) =>
    gateway.chat({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: PROMPT }], ...more }, headers);
  const switchOn = (more: object = {}) =>
    gateway.put(PATH, { until: new Date(time.nowMs() + 24 * HOUR_MS).toISOString(), ...more });
  const read = (requestId: string | null) =>
    gateway.admin('GET', `${PATH}/requests/${requestId}`, undefined, admin);
  const listed = async (): Promise<readonly string[]> => {
    const { body } = await gateway.admin('GET', `${PATH}/requests`, undefined, admin);
    return (body['data'] as Json).map((entry) => String(entry['request_id']));
  };
  const readWhenThere = (requestId: string | null) =>
    eventually(async () => {
      expect(await listed()).toContain(requestId);
      return (await read(requestId)).body;
    });
  const readings = async () => {
    const { body } = await gateway.admin('GET', '/audit/changes?object_kind=archive_entry', undefined, admin);
    return (body['data'] as Json).map(({ action, object, tenant }) => [action, object!['id'], tenant]);
  };

  it('keeps nothing unless it was switched on', async () => {
    expect((await ask()).text).toContain(ANSWER);
    await ask({ stream: true });

    expect(await listed()).toEqual([]);
    expect(gateway.storedText()).not.toContain('canary-');
  });

  it('keeps what a caller sent and got, encrypted, and shows it on record', async () => {
    await switchOn();
    const answered = await ask({ temperature: 0.5 });
    const requestId = answered.headers.get('x-request-id');

    const entry = await readWhenThere(requestId);

    expect(JSON.parse(String(entry['request']!['text']))).toEqual({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: PROMPT }],
      temperature: 0.5,
    });
    expect(entry['answer']).toMatchObject({ status: 200, text: answered.text, truncated: false });
    expect(await readings()).toEqual([['read', requestId, TENANT]]);
    expect(gateway.storedText()).not.toContain('canary-');
    expect(gateway.logLines.join('\n')).not.toContain('canary-');
    expect((await gateway.admin('GET', '/audit/verify')).body['intact']).toBe(true);
  });

  it('keeps a stream as its caller got it, also for a key that may be repeated', async () => {
    await switchOn();
    const answered = await ask({ stream: true }, { 'idempotency-key': 'archive-1' });

    const { answer } = await readWhenThere(answered.headers.get('x-request-id'));

    expect(answer!['text']).toBe(answered.text);
    expect(answered.text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('keeps an error, too', async () => {
    await switchOn();
    gateway.openai.setBehaviour({ kind: 'status', status: 400, body: { error: { message: 'No.' } } });
    const answered = await ask();

    const { answer } = await readWhenThere(answered.headers.get('x-request-id'));

    expect(answer).toMatchObject({ status: 400, text: answered.text });
  });

  it('deletes what has expired, and is off when its time is over', async () => {
    await switchOn({ retention_hours: 1 });
    const requestId = (await ask()).headers.get('x-request-id');
    await readWhenThere(requestId);

    time.skip(HOUR_MS);
    expect((await read(requestId)).status).toBe(404);
    expect(await container.resolve(PurgeArchive).execute()).toBeGreaterThanOrEqual(1);
    expect(await container.resolve(PurgeArchive).execute()).toBe(0);

    time.skip(24 * HOUR_MS);
    await ask();
    expect(await listed()).toEqual([]);
  });

  it('destroys what it holds when it is switched off', async () => {
    await switchOn();
    const requestId = (await ask()).headers.get('x-request-id');
    await readWhenThere(requestId);

    expect((await gateway.admin('DELETE', PATH, undefined, admin)).status).toBe(204);
    expect((await read(requestId)).status).toBe(404);
    await switchOn();
    expect(await listed()).toEqual([]);
  });
});
