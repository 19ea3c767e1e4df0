import type OpenAI from 'openai';
import { TENANT, TestGateway, type Json } from '../support/gateway';
import { HAIKU, MINI, miniFirst, only } from '../support/gateway-policy';

/** A tenant's rules for personal data, over real sockets (DESIGN §5, ADR 17). */
const CARD = '4111 1111 1111 1111';
const EMAIL = 'jane.doe+gold@example.com';
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nMIIcanaryKey+/=\n-----END PRIVATE KEY-----';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const rules = (pii: object): Promise<Json> => gateway.put(`/tenants/${TENANT}/eligibility`, { pii });
const asking = (model: string, content = `My card is ${CARD}, write to ${EMAIL}`) => ({
  model,
  messages: [{ role: 'user' as const, content }],
});
const sentTo = (provider: 'openai' | 'anthropic'): string =>
  gateway[provider].received.map(({ bodyText }) => bodyText).join('\n');

describe('a tenant that lets cards go to openai and not to anthropic', () => {
  const BLOCKED = { provider: 'anthropic', classes: { payment_card: 'block' } };
  const told: string[] = [];

  beforeEach(() =>
    rules({ providers: [{ provider: 'openai', classes: { payment_card: 'allow' } }, BLOCKED] }),
  );

  it.each([false, true])('gets an error rather than a failover (stream: %s)', async (stream) => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });

    const answered = await gateway.chat({ ...asking('gpt-4o-mini'), stream });

    expect(answered.status).toBe(502);
    expect(answered.body['error']).toMatchObject({ code: 'provider_failed' });
    const refusal = { reason: 'pii_policy', provider: 'anthropic', classes: ['payment_card'] };
    expect(answered.body['schneeai']!['refusals']).toMatchObject([refusal]);
    expect(sentTo('openai')).toContain(CARD);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(answered.headers.get('x-request-id'));
    expect(record['pii']).toEqual({ found: { payment_card: 1 }, unscanned_parts: 0 });
    expect(record['refusals']).toMatchObject([refusal]);
    told.push(answered.text, JSON.stringify(record));
  });

  it('is served by anthropic what holds no card', async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });

    const { status, headers } = await gateway.chat(asking('gpt-4o-mini', `Write to ${EMAIL}`));

    expect(status).toBe(200);
    expect(headers.get('x-schneeai-provider')).toBe('anthropic');
  });

  it('is told 403 where no route is left, and no provider is asked', async () => {
    await gateway.putPolicy(only(HAIKU));

    const answered = await gateway.chat(asking('claude-haiku-4-5'));

    expect(answered.status).toBe(403);
    expect(answered.body['error']).toMatchObject({ code: 'forbidden', type: 'permission_error' });
    expect(answered.body['error']!['message']).toContain('payment_card');
    expect(answered.body['schneeai']!['refusals']).toMatchObject([{ reason: 'pii_policy' }]);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(answered.headers.get('x-request-id'));
    expect(record).toMatchObject({ state: 'refused', error_code: 'forbidden', attempts: 0 });
    told.push(answered.text, JSON.stringify(record));
  });

  it('is shown by explain what would be found and refused', async () => {
    await gateway.putPolicy(miniFirst());

    const { status, text, body } = await gateway.admin(
      'POST',
      `/tenants/${TENANT}/routing-policies/default/explain`,
      { request: asking('gpt-4o-mini') },
    );

    expect(status).toBe(200);
    expect(body['pii']).toEqual({ found: { payment_card: 1 }, unscanned_parts: 0 });
    expect(body['routes']).toMatchObject([{ refused: null }, { refused: 'pii_policy' }]);
    expect(body['refusals']).toMatchObject([{ reason: 'pii_policy', classes: ['payment_card'] }]);
    told.push(text);
  });

  it('finds the number in no error, log line, record, export, metric or file', async () => {
    for (const format of ['ndjson', 'csv']) {
      told.push((await gateway.admin('GET', `/audit/export?format=${format}`)).text);
      told.push((await gateway.admin('GET', `/audit/export?format=${format}&rows=attempts`)).text);
    }
    for (const path of ['/audit/records?limit=200', '/audit/changes', '/health']) {
      told.push((await gateway.admin('GET', path)).text);
    }
    told.push((await gateway.send('GET', '/metrics')).text);
    const places = { told: told.join('\n'), log: gateway.logLines.join('\n'), stored: gateway.storedText() };

    for (const text of Object.values(places)) {
      expect(text).not.toContain(CARD);
      expect(text).not.toContain('[PAYMENT_CARD_1]');
    }
    // The places were really looked at.
    expect(places.told).toContain('pii_policy');
    expect(places.log).toContain('attempt failed');
    expect(places.stored).toContain('pii_policy');
  });
});

describe('a tenant that redacts', () => {
  beforeEach(async () => {
    const classes = { payment_card: 'redact', email: 'redact', secret: 'redact' };
    await rules({ default: { classes, restore: true }, providers: [{ provider: 'openai', restore: false }] });
    await gateway.putPolicy(miniFirst());
    await gateway.putPolicy(only(HAIKU), 'haiku');
  });

  it('sends placeholders, and leaves them in the answer unless the rule restores', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', text: 'I wrote to [EMAIL_1].' });

    const { body, headers } = await gateway.chat({ ...asking('gpt-4o-mini'), user: EMAIL });

    expect(sentTo('openai')).toContain('My card is [PAYMENT_CARD_1], write to [EMAIL_1]');
    expect(sentTo('openai')).not.toContain('jane');
    expect(body['choices']![0]!['message']!['content']).toBe('I wrote to [EMAIL_1].');
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record['pii']).toEqual({ found: { email: 2, payment_card: 1 }, unscanned_parts: 0 });
    expect(record['ledger']).toMatchObject([{ provider: 'openai', redacted: { email: 2, payment_card: 1 } }]);
  });

  it('keeps the same placeholder at the next provider, and restores there what the rule restores', async () => {
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });
    gateway.anthropic.setBehaviour({ kind: 'answer', text: 'Card [PAYMENT_CARD_1], mail [EMAIL_1].' });

    const { body } = await gateway.chat(asking('gpt-4o-mini'));

    expect(sentTo('anthropic')).toContain('My card is [PAYMENT_CARD_1], write to [EMAIL_1]');
    expect(body['choices']![0]!['message']!['content']).toBe(`Card ${CARD}, mail ${EMAIL}.`);
  });

  it('gives the original to a provider that may see it', async () => {
    await rules({
      default: { classes: { payment_card: 'redact' } },
      providers: [{ provider: 'anthropic', classes: { payment_card: 'allow' } }],
    });
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });

    const { headers } = await gateway.chat(asking('gpt-4o-mini'));

    expect(sentTo('openai')).not.toContain(CARD);
    expect(sentTo('anthropic')).toContain(CARD);
    const record = await gateway.record(headers.get('x-request-id'));
    const redacted = (record['ledger'] as Json).map((row) => row['redacted']);
    expect(redacted).toEqual([{ payment_card: 1 }, { payment_card: 1 }, null]);
  });
});

describe.each([
  ['openai', MINI.model],
  ['anthropic', HAIKU.model],
] as const)('restored streams over the %s wire', (provider, model) => {
  beforeEach(() => rules({ default: { classes: { email: 'redact', secret: 'redact' }, restore: true } }));

  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: 'send', parameters: { type: 'object', properties: {} } } },
  ];
  const content = `Send ${PRIVATE_KEY} to ${EMAIL}`;

  it('reach the official client as if nothing had been taken out', async () => {
    const text = 'To [EMAIL_1]: [SECRET_1], not [EMAIL_7]. [EMAIL';
    gateway[provider].setBehaviour({
      kind: 'answer',
      chunks: [...text],
      toolCalls: [{ name: 'send', arguments: '{"to": "[EMAIL_1]", "key": "[SECRET_1]"}' }],
    });

    const stream = gateway.client().chat.completions.stream({ ...asking(model, content), tools });
    const message = (await stream.finalChatCompletion()).choices[0]!.message;

    expect(sentTo(provider)).not.toContain('jane');
    expect(sentTo(provider)).not.toContain('MIIcanaryKey');
    expect(message.content).toBe(`To ${EMAIL}: ${PRIVATE_KEY}, not [EMAIL_7]. [EMAIL`);
    const call = message.tool_calls![0] as OpenAI.ChatCompletionMessageFunctionToolCall;
    expect(JSON.parse(call.function.arguments)).toEqual({ to: EMAIL, key: PRIVATE_KEY });
  });

  it('hold whole answers to the same', async () => {
    gateway[provider].setBehaviour({
      kind: 'answer',
      text: 'To [EMAIL_1]',
      toolCalls: [{ name: 'send', arguments: { to: '[EMAIL_1]', key: '[SECRET_1]' } }],
    });

    const completion = await gateway.client().chat.completions.create({ ...asking(model, content), tools });
    const message = completion.choices[0]!.message;

    expect(message.content).toBe(`To ${EMAIL}`);
    const call = message.tool_calls![0] as OpenAI.ChatCompletionMessageFunctionToolCall;
    expect(JSON.parse(call.function.arguments)).toEqual({ to: EMAIL, key: PRIVATE_KEY });
  });

  it('take a tool call of an earlier turn apart and put it together again', async () => {
    gateway[provider].setBehaviour({ kind: 'answer', text: 'done' });
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'send', arguments: JSON.stringify({ to: EMAIL, key: PRIVATE_KEY }) },
    };

    await gateway.client().chat.completions.create({
      model,
      tools,
      messages: [
        { role: 'user', content: 'Send it' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify({ sent_to: EMAIL }) },
      ],
    });

    expect(sentTo(provider)).not.toContain('jane');
    expect(sentTo(provider)).toContain('[EMAIL_1]');
    expect(sentTo(provider)).toContain('[SECRET_1]');
    expect(sentTo(provider)).not.toContain('[EMAIL_2]');
  });
});
