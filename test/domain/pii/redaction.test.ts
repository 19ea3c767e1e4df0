import type { JsonObject, JsonValue } from '../../../src/domain/kernel/json';
import { PII_CLASSES } from '../../../src/domain/pii/pii-class';
import type { PiiClass } from '../../../src/domain/pii/pii-class';
import { foundAmong, scanCovering, scanRequest } from '../../../src/domain/pii/pii-scan';
import { NO_PLACEHOLDERS, redact } from '../../../src/domain/pii/redaction';
import { aRequest } from '../../support/sample-catalog';

const EVERYTHING = new Set(PII_CLASSES);
const CARD = '4111 1111 1111 1111';
const KEY = 'sk-proj-abcdefghij1234567890';

/** What a provider gets of a body if all of these classes are redacted for it. */
function redacted(body: JsonObject, classes: ReadonlySet<PiiClass> = EVERYTHING): JsonValue {
  const scan = scanRequest(body, EVERYTHING);
  return redact({ ...aRequest('gpt-s'), body }, scan, classes, NO_PLACEHOLDERS).request.body;
}

const says = (content: JsonValue): JsonObject => ({ messages: [{ role: 'user', content }] });

describe('redaction', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['content', says(`card ${CARD}`), says('card [PAYMENT_CARD_1]')],
    [
      'content parts',
      says([{ type: 'text', text: 'a@example.com' }]),
      says([{ type: 'text', text: '[EMAIL_1]' }]),
    ],
    ['user', { user: 'a@example.com' }, { user: '[EMAIL_1]' }],
    ['unknown fields', { anything: { deep: ['a@example.com'] } }, { anything: { deep: ['[EMAIL_1]'] } }],
    ['names of members', { metadata: { 'a@example.com': 'x' } }, { metadata: { '[EMAIL_1]': 'x' } }],
    ['numbers', { metadata: { card: 4111111111111111 } }, { metadata: { card: '[PAYMENT_CARD_1]' } }],
    [
      'descriptions and schemas of tools',
      {
        tools: [
          { function: { description: 'mails a@example.com', parameters: { enum: ['b@example.com'] } } },
        ],
      },
      { tools: [{ function: { description: 'mails [EMAIL_1]', parameters: { enum: ['[EMAIL_2]'] } } }] },
    ],
    [
      'arguments of tool calls, which stay JSON',
      { arguments: '{"to": "a\\u0040example.com",  "n": 1.0, "card": 4111111111111111}' },
      { arguments: '{"to": "[EMAIL_1]",  "n": 1.0, "card": "[PAYMENT_CARD_1]"}' },
    ],
    [
      'JSON within JSON',
      { arguments: JSON.stringify({ body: JSON.stringify({ to: 'ａ@example.com' }) }) },
      { arguments: JSON.stringify({ body: JSON.stringify({ to: '[EMAIL_1]' }) }) },
    ],
    ['what only looks like JSON', { arguments: '{"to": a@example.com' }, { arguments: '{"to": [EMAIL_1]' }],
    [
      'a long list of numbers under a name that files have',
      { data: `${'0'.repeat(300)}\n4111-1111-1111-1111` },
      { data: `${'0'.repeat(300)}\n[PAYMENT_CARD_1]` },
    ],
    ['what unseen characters split', says('a@\u200bexample.com'), says('[EMAIL_1]')],
    ['binary data of an unusual name', { x: 'A'.repeat(300) }, { x: 'A'.repeat(300) }],
  ])('replaces %s', (_name, body, after) => {
    expect(redacted(body)).toEqual(after);
  });

  it('gives the same value the same placeholder, and every other one another', () => {
    expect(redacted(says('a@example.com b@example.com a@example.com'))).toEqual(
      says('[EMAIL_1] [EMAIL_2] [EMAIL_1]'),
    );
  });

  it('never gives out what the caller wrote himself', () => {
    const body = says('[EMAIL_1] and "[EMAIL_3]" are no a@example.com, b@example.com');

    expect(redacted(body)).toEqual(says('[EMAIL_1] and "[EMAIL_3]" are no [EMAIL_2], [EMAIL_4]'));
  });

  it('keeps to the classes that it was told', () => {
    expect(redacted(says(`a@example.com ${CARD}`), new Set<PiiClass>(['email']))).toEqual(
      says(`[EMAIL_1] ${CARD}`),
    );
  });

  it('passes what holds nothing by reference', () => {
    const body = says('nothing here');

    expect(redacted(body)).toBe(body);
  });

  it('loses nothing where two classes overlap', () => {
    // The mail address ends where the IP address does not.
    const body = { user: 'https://a:a@10.1.2.3.example.com/' };
    const scan = scanRequest(body, EVERYTHING);
    const { request, placeholders } = redact({ ...aRequest('x'), body }, scan, EVERYTHING, NO_PLACEHOLDERS);
    let text = request.body.user as string;
    for (const [placeholder, value] of placeholders.valueOf) text = text.replaceAll(placeholder, value);

    expect(text).toBe(body.user);
  });

  it('keeps placeholders throughout an interaction', () => {
    const body = says(`a@example.com ${KEY} b@example.com`);
    const scan = scanRequest(body, EVERYTHING);
    const request = { ...aRequest('x'), body };
    const first = redact(request, scan, new Set<PiiClass>(['secret']), NO_PLACEHOLDERS);
    const second = redact(request, scan, EVERYTHING, first.placeholders);

    expect(second.request.body).toEqual(says('[EMAIL_1] [SECRET_1] [EMAIL_2]'));
    expect(second.counts).toEqual({ email: 2, secret: 1 });
    expect([...second.placeholders.valueOf.keys()].sort()).toEqual(['[EMAIL_1]', '[EMAIL_2]', '[SECRET_1]']);
  });

  it('keeps a member that is named like the prototype', () => {
    const body = JSON.parse('{"__proto__": {"to": "a@example.com"}}') as JsonObject;

    expect(JSON.stringify(redacted(body))).toBe('{"__proto__":{"to":"[EMAIL_1]"}}');
  });
});

describe('scan', () => {
  it('counts every place by its class', () => {
    const { findings } = scanRequest(
      says([{ text: 'a@example.com' }, { text: `a@example.com ${CARD}` }]),
      EVERYTHING,
    );

    expect(findings).toEqual({ counts: { email: 2, payment_card: 1 }, unscannedParts: 0 });
  });

  it.each([
    ['an image', { image_url: { url: `data:image/png;base64,${'iVBORw0KGgo='.repeat(30)}` } }],
    ['audio', { input_audio: { data: 'UklGRg=='.repeat(40) } }],
    ['a file', { file: { file_data: `data:application/pdf;base64,${'JVBERi0x'.repeat(40)}` } }],
  ])('says that it could not read %s', (_name, part) => {
    expect(scanRequest(says([part]), EVERYTHING).findings.unscannedParts).toBe(1);
  });

  it.each([
    ['a short text', { data: '4111111111111111' }],
    ['a long text that is no base64', { data: `${'many words '.repeat(40)} ${CARD}` }],
    ['an address', { image_url: { url: `https://example.com/?card=4111111111111111&${'x'.repeat(300)}` } }],
  ])('reads %s where a file could stand', (_name, part) => {
    expect(scanRequest(says([part]), EVERYTHING).findings.counts).toEqual({ payment_card: 1 });
  });

  it('is made once, and again only for classes that were not looked for', () => {
    const body = says(`a@example.com ${CARD}`);
    const scan = scanRequest(body, new Set<PiiClass>(['email']));

    expect(scanCovering(scan, body, new Set<PiiClass>(['email']))).toBe(scan);
    const wider = scanCovering(scan, body, new Set<PiiClass>(['payment_card']));
    expect(wider.findings.counts).toEqual({ email: 1, payment_card: 1 });
    expect(foundAmong(wider, new Set<PiiClass>(['payment_card', 'iban']))).toEqual(['payment_card']);
  });
});
