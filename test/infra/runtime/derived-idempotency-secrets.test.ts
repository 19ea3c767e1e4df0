import { DerivedIdempotencySecrets } from '../../../src/infra/runtime/derived-idempotency-secrets';

const secrets = new DerivedIdempotencySecrets(Buffer.alloc(32, 1));
const others = new DerivedIdempotencySecrets(Buffer.alloc(32, 2));

const ANSWER = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-schneeai-model': 'gpt-s' },
  body: '{"content":"Schnee: 40 cm \\u2744 ❄ \uD83C\uDFBF"}',
};
const PLACE = { tenant: 'acme', keyHash: 'a'.repeat(64), requestId: 'req_1' };

describe('hashes of idempotency keys', () => {
  it('are the same in every process with the same secret key', () => {
    const again = new DerivedIdempotencySecrets(Buffer.alloc(32, 1));

    expect(again.keyHash('acme', 'order-1')).toBe(secrets.keyHash('acme', 'order-1'));
    expect(secrets.keyHash('acme', 'order-1')).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['another key', secrets.keyHash('acme', 'order-2')],
    ['another tenant', secrets.keyHash('acme2', 'order-1')],
    ['the same characters, divided elsewhere', secrets.keyHash('acm', 'eorder-1')],
    ['another secret key', others.keyHash('acme', 'order-1')],
    ['a body of the same text', secrets.bodyHash('acme', 'order-1')],
  ])('differ for %s', (_, hash) => {
    expect(hash).not.toBe(secrets.keyHash('acme', 'order-1'));
  });

  it('do not tell that two keys were used with the same body', () => {
    expect(secrets.bodyHash('hash 1', '{}')).not.toBe(secrets.bodyHash('hash 2', '{}'));
    expect(secrets.bodyHash('hash 1', '{}')).toBe(secrets.bodyHash('hash 1', '{}'));
  });
});

describe('a sealed answer', () => {
  it('is read again in its place, byte for byte', () => {
    expect(secrets.unseal(secrets.seal(ANSWER, PLACE), PLACE)).toEqual(ANSWER);
  });

  it('shows nothing of what it holds, not even that it holds the same twice', () => {
    const sealed = secrets.seal(ANSWER, PLACE);

    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('Schnee');
    expect(secrets.seal(ANSWER, PLACE)).not.toBe(sealed);
  });

  it.each([
    ['another tenant', { ...PLACE, tenant: 'other' }],
    ['another key', { ...PLACE, keyHash: 'b'.repeat(64) }],
    ['another interaction', { ...PLACE, requestId: 'req_2' }],
  ])('is nothing in the place of %s', (_, place) => {
    expect(secrets.unseal(secrets.seal(ANSWER, PLACE), place)).toBeNull();
  });

  it('is nothing under another secret key', () => {
    expect(others.unseal(secrets.seal(ANSWER, PLACE), PLACE)).toBeNull();
  });

  it('is nothing once a byte of it has changed', () => {
    const bytes = Buffer.from(secrets.seal(ANSWER, PLACE), 'base64');

    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(secrets.unseal(changed.toString('base64'), PLACE)).toBeNull();
    }
  });

  it.each(['', 'AAAA', '%', Buffer.alloc(28).toString('base64')])('is not %j', (sealed) => {
    expect(secrets.unseal(sealed, PLACE)).toBeNull();
  });
});
