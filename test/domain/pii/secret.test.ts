import { found } from './found';

describe('secret detector', () => {
  it.each([
    ['OpenAI', 'sk-proj-abcdefghij1234567890', ['sk-proj-abcdefghij1234567890']],
    ['Anthropic', 'x-api-key: sk-ant-api03-abcdefghijklmnop123456.', ['sk-ant-api03-abcdefghijklmnop123456']],
    [
      'this gateway',
      'sk-schnee-abcdefghijklmnopqrstuvwxyz012345',
      ['sk-schnee-abcdefghijklmnopqrstuvwxyz012345'],
    ],
    ['AWS', 'AKIAIOSFODNN7EXAMPLE', ['AKIAIOSFODNN7EXAMPLE']],
    ['GitHub', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', ['ghp_abcdefghijklmnopqrstuvwxyz0123456789']],
    [
      'GitHub in an address',
      'https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@github.com',
      ['ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ],
    ['Slack', 'xoxb-123456789012-abcdef', ['xoxb-123456789012-abcdef']],
    ['Google', 'AIzaSyA-1234567890abcdefghijklmnopqrstu', ['AIzaSyA-1234567890abcdefghijklmnopqrstu']],
    ['Stripe', 'sk_live_abcdefghij123456', ['sk_live_abcdefghij123456']],
    [
      'a JSON Web Token',
      'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-def_123',
      ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-def_123'],
    ],
    ['behind an escaped line break', '\\nsk-proj-abcdefghij1234567890', ['sk-proj-abcdefghij1234567890']],
    [
      'a private key',
      'x\n-----BEGIN RSA PRIVATE KEY-----\nMIIabc+/\nDEF=\n-----END RSA PRIVATE KEY-----\ny',
      ['-----BEGIN RSA PRIVATE KEY-----\nMIIabc+/\nDEF=\n-----END RSA PRIVATE KEY-----'],
    ],
    [
      'an encrypted one',
      '-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-256-CBC,00\n\nMII\n-----END RSA PRIVATE KEY-----',
      ['-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-256-CBC,00\n\nMII\n-----END RSA PRIVATE KEY-----'],
    ],
    [
      'a private key without its end',
      '-----BEGIN PRIVATE KEY-----\nMIIabc\n and more',
      ['-----BEGIN PRIVATE KEY-----\nMIIabc\n'],
    ],
  ])('finds %s', (_name, text, values) => {
    expect(found('secret', text)).toEqual(values);
  });

  it.each([
    ['a word that begins alike', 'sk-learn'],
    ['words with dashes', 'sk-learn-is-the-name-of-a-package'],
    ['the end of a word', 'risk-abcdefghij1234567890abc'],
    ['too short', 'AKIAIOSFODNN7'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----'],
    ['a public key', '-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----'],
    ['a ruler', '--------------------'],
    ['a header that never ends', '-----BEGIN RSA PRIVATE KEY'],
  ])('leaves %s alone', (_name, text) => {
    expect(found('secret', text)).toEqual([]);
  });
});
