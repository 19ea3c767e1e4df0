import fc from 'fast-check';
import { TENANT, TestGateway } from '../support/gateway';

/** DESIGN §12: any byte sequence sent to any endpoint gets a clear 4xx and changes nothing. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

const ENDPOINTS = [
  ['POST', '/v1/chat/completions'],
  ['POST', '/admin/v1/tenants'],
  ['PATCH', `/admin/v1/tenants/${TENANT}`],
  ['POST', `/admin/v1/tenants/${TENANT}/keys`],
  ['POST', `/admin/v1/tenants/${TENANT}/keys/key_1/rotate`],
  ['PUT', `/admin/v1/tenants/${TENANT}/eligibility`],
  ['PUT', `/admin/v1/tenants/${TENANT}/routing-policies/p`],
  ['POST', `/admin/v1/tenants/${TENANT}/routing-policies/p/rollback`],
  ['PUT', '/admin/v1/providers/p'],
  ['PUT', '/admin/v1/channels/c'],
  ['POST', '/admin/v1/channels'],
  ['PUT', '/admin/v1/models/m'],
  ['PUT', '/admin/v1/offerings/o'],
] as const;

const KEYS = [
  'model',
  'messages',
  'name',
  'match',
  'scopes',
  'id',
  'features',
  'provider',
  '__proto__',
  'stream',
];

/** Bytes; JSON; and JSON with the members that the endpoints look for, under values that they don't expect. */
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  // An empty document is one, and changes nothing where nothing is obligatory.
  fc
    .json()
    .filter((text) => text !== '{}')
    .map((text) => Buffer.from(text)),
  fc
    .dictionary(fc.constantFrom(...KEYS), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
    // A list of text for a tenant's name and the like: never what is asked for.
    .map((members) => Buffer.from(JSON.stringify({ ...members, '\u0000unknown': 1, messages: 7, model: 7 }))),
);

const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'x',
);

async function stateOfEverything(): Promise<string> {
  const paths = ['/tenants', '/providers', '/channels', '/models', '/offerings', `/tenants/${TENANT}/keys`];
  const lists = [...paths, `/tenants/${TENANT}/eligibility`, `/tenants/${TENANT}/routing-policies`];
  const texts = [];
  for (const path of lists) texts.push((await gateway.admin('GET', path)).text);
  return texts.join('\n');
}

it.each(ENDPOINTS)('%s %s answers any bytes with a 4xx and changes nothing', async (method, path) => {
  const before = await stateOfEverything();
  const key = path.startsWith('/admin') ? gateway.operatorKey : gateway.key;

  await fc.assert(
    fc.asyncProperty(body, contentType, async (bytes, type) => {
      const { status, body: told } = await gateway.send(method, path, {
        key,
        headers: { 'content-type': type },
        body: bytes,
      });

      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(told['error']).toHaveProperty('message');
    }),
    { numRuns: 40 },
  );

  expect(await stateOfEverything()).toBe(before);
  expect(gateway.openai.received).toHaveLength(0);
  expect(await gateway.records()).toEqual([]);
  expect(gateway.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
});

it('answers any key and any path with a 4xx', async () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });

  await fc.assert(
    fc.asyncProperty(visible, fc.webPath(), async (secret, path) => {
      const { status } = await gateway.send('GET', `/admin/v1${path}`, { key: secret });
      expect(status).toBe(401);
    }),
    { numRuns: 60 },
  );
});
