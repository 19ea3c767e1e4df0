import type { JsonValue } from '../../../../src/domain/kernel/json';
import { SecretRedactor } from '../../../../src/infra/provider/transport/redact-secrets';

const SECRET = 'Zq/channel+secret==91';
const redactor = new SecretRedactor([SECRET]);

describe('secret redactor', () => {
  it.each<[string, string, string]>([
    ['the known value', `key ${SECRET}!`, 'key [redacted]!'],
    ['the known value, twice', `${SECRET} ${SECRET}`, '[redacted] [redacted]'],
    ['the known value in a URL', `https://x/?a=${encodeURIComponent(SECRET)}`, 'https://x/?a=[redacted]'],
    ['its masked remains', 'key Zq/chan***91 is wrong', 'key [redacted] is wrong'],
    ['a foreign key', 'key sk-proj-abcdef1234567890 is wrong', 'key [redacted] is wrong'],
    ['a foreign masked key', 'key sk-…abcd is wrong', 'key [redacted] is wrong'],
    ['a foreign key with a row of stars', 'key sk-abc*******wxyz.', 'key [redacted].'],
    ['a bearer token', 'sent Bearer abc.def-ghi', 'sent [redacted]'],
    ['a web token', 'sent eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2ln', 'sent [redacted]'],
    ['a Google key', 'AIzaSyA1234567890abcdefghijk', '[redacted]'],
    ['a key in a query', 'GET /v1?key=abc123&x=1', 'GET /v1?key=[redacted]&x=1'],
    ['a key in a header dump', '{"x-api-key": "abcdef123"}', '{"x-api-key": "[redacted]"}'],
    ['an organisation', 'organization org-AbCd12345678 on tokens', 'organization [redacted] on tokens'],
  ])('removes %s', (_name, text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });

  it.each<[string]>([
    ['Rate limit reached for gpt-4o-mini on requests per min (RPM): Limit 3, Used 3.'],
    ['invalid_api_key'],
    ['cmek_key_network_blocked'],
    ['Unsupported parameter: max_tokens. Use max_completion_tokens instead...'],
    ['task-1234567890123456 failed'],
  ])('leaves %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('reaches every text of a body, names of members included', () => {
    const body: JsonValue = { error: { message: SECRET, list: [SECRET, 7, null, true] }, [SECRET]: 'x' };

    expect(redactor.json(body)).toEqual({
      error: { message: '[redacted]', list: ['[redacted]', 7, null, true] },
      '[redacted]': 'x',
    });
  });

  it('drops what lies too deep to be an error', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as JsonValue;

    expect(JSON.stringify(redactor.json(deep))).toBe(`${'['.repeat(32)}null${']'.repeat(32)}`);
  });

  it('ignores secrets that are too short to be any', () => {
    expect(new SecretRedactor(['', 'abc']).text('abc')).toBe('abc');
  });
});
