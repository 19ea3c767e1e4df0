import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestGateway } from '../support/gateway';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL } from '../support/simulated-providers';

/** CASES B42: whatever a caller writes, the channel's own URL is called with the channel's own key. */

let gateway: TestGateway;
let listener: Server;
let listenerUrl: string;
let strangers = 0;

beforeAll(async () => {
  gateway = await TestGateway.start();
  listener = createServer((_req, res) => {
    strangers += 1;
    res.end('{}');
  });
  listener.on('connection', () => (strangers += 1));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  listenerUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await gateway.stop();
  listener.close();
});
beforeEach(async () => {
  await gateway.reset();
  strangers = 0;
});

const messages = [{ role: 'user' as const, content: 'Hi' }];
const TOOL = { type: 'function', function: { name: 'snow', parameters: { type: 'object', properties: {} } } };

const FIELDS: Readonly<Record<string, (url: string) => unknown>> = {
  api_base: (url) => url,
  base_url: (url) => url,
  baseURL: (url) => url,
  api_key: () => 'sk-of-the-caller',
  extra_headers: (url) => ({ host: url, authorization: 'Bearer sk-of-the-caller' }),
  headers: (url) => ({ host: url, authorization: 'Bearer sk-of-the-caller' }),
  organization: () => 'org-of-the-caller',
  timeout: () => 1,
  max_retries: () => 9,
  fallbacks: (url) => [{ model: 'gpt-4o', api_base: url }],
  model_list: (url) => [{ model_name: 'gpt-4o-mini', litellm_params: { api_base: url } }],
};

const PLACES: Readonly<Record<string, (field: object) => object>> = {
  'at top level': (field) => field,
  'in metadata': (field) => ({ metadata: field }),
  'in tools[0]': (field) => ({ tools: [{ ...TOOL, ...field }] }),
  'in stream_options': (field) => ({ stream: true, stream_options: field }),
  'in schneeai': (field) => ({ schneeai: field }),
};

const CASES = Object.keys(PLACES).flatMap((place) =>
  Object.keys(FIELDS).map((field) => [field, place] as const),
);

it.each(CASES)('%s %s leads nowhere else', async (field, place) => {
  const body = PLACES[place]!({ [field]: FIELDS[field]!(listenerUrl) });

  const answers = await Promise.all([
    gateway.chat({ model: 'gpt-4o-mini', messages, ...body }),
    gateway.chat({ model: 'claude-haiku-4-5', messages, ...body }),
  ]);

  expect(strangers).toBe(0);
  // Data that a provider doesn't know may be refused, by us or by it; it is never an option of ours.
  for (const { status } of answers) expect([200, 400]).toContain(status);
  for (const { headers } of gateway.openai.received) {
    expect(headers.authorization).toBe(`Bearer ${OPENAI_CREDENTIAL}`);
    expect(headers['openai-organization']).toBeUndefined();
    expect(headers['x-stainless-retry-count']).toBe('0');
  }
  for (const { headers, body: sent } of gateway.anthropic.received) {
    expect(headers['x-api-key']).toBe(ANTHROPIC_CREDENTIAL);
    expect(headers.authorization).toBeUndefined();
    expect(sent).not.toHaveProperty(field === 'metadata' ? 'none' : field);
  }
  expect(gateway.openai.received.length + gateway.anthropic.received.length).toBeLessThanOrEqual(2);
});

it('passes an unknown field on as data where the wire takes it', async () => {
  const answered = await gateway.chat({ model: 'gpt-4o-mini', messages, base_url: listenerUrl });

  expect(answered.status).toBe(200);
  expect(gateway.openai.received[0]!.body).toMatchObject({ base_url: listenerUrl });
  expect(strangers).toBe(0);
});

it('never lets a schneeai object of the caller come back as ours', async () => {
  const answered = await gateway.chat({
    model: 'gpt-4o-mini',
    messages,
    schneeai: { served_provider: 'nobody' },
    request_id: 'req_forged',
  });

  expect(answered.text).not.toContain('nobody');
  expect(answered.headers.get('x-request-id')).not.toBe('req_forged');
});

it.each([
  ['x-portkey-custom-host', (url: string) => url],
  ['x-base-url', (url: string) => url],
  ['host', (url: string) => new URL(url).host],
  ['openai-organization', () => 'org-of-the-caller'],
  ['anthropic-beta', () => 'everything-2026'],
  ['x-forwarded-host', (url: string) => new URL(url).host],
] as const)('the header %s leads nowhere else and goes nowhere', async (header, value) => {
  const sent = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` };
  const status = await rawPost({ ...sent, [header]: value(listenerUrl) });

  expect(status).toBe(200);
  expect(strangers).toBe(0);
  const [call] = gateway.openai.received;
  expect(call!.headers.host).toBe(new URL(gateway.openai.baseUrl).host);
  if (header !== 'host') expect(call!.headers).not.toHaveProperty(header);
});

/** Sends a `host` header of the test's own, which fetch doesn't let through. */
function rawPost(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = `${gateway.baseUrl}/v1/chat/completions`;
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ model: 'gpt-4o-mini', messages }));
  });
}
