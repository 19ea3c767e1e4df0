import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { headerList, headerValue } from '../../../../src/delivery/http/chat/header-value';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('header value', () => {
  it.each([
    ['gpt-4o-mini', 'gpt-4o-mini'],
    ['meta/llama-3:free', 'meta/llama-3:free'],
    ['', ''],
    ['a b', 'a%20b'],
    ['100%', '100%25'],
    ['%41', '%2541'],
    ['auto→gpt', 'auto%E2%86%92gpt'],
    ['𝄞', '%F0%9D%84%9E'],
    ['caf\u00e9', 'caf%C3%A9'],
    ['x\r\nset-cookie: a=b', 'x%0D%0Aset-cookie:%20a=b'],
    ['a\u0000b', 'a%00b'],
    ['\u007f', '%7F'],
    ['a\ud800b', 'a%EF%BF%BDb'],
    ['\udc00\ud800', '%EF%BF%BD%EF%BF%BD'],
  ])('%j is sent as %s', (text, value) => {
    expect(headerValue(text)).toBe(value);
  });

  it('is visible ASCII whatever the text, and so can end no header', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = headerValue(text);

        expect(value).toMatch(/^[!-~]*$/);
        expect(() => validateHeaderValue('x-schneeai-model', value)).not.toThrow();
      }),
    );
  });

  it('comes back by decodeURIComponent, but for what has no UTF-8', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(decodeURIComponent(headerValue(text))).toBe(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
      }),
    );
  });
});

describe('header list', () => {
  it.each<[names: string[], value: string]>([
    [[], ''],
    [['logit_bias'], 'logit_bias'],
    [['logit_bias', 'messages[0].name'], 'logit_bias,messages[0].name'],
    [['a,b', 'c d'], 'a%2Cb,c%20d'],
  ])('of %j is %s', (names, value) => {
    expect(headerList(names)).toBe(value);
  });

  // 10,000 unknown fields made a head that clients and proxies refuse, so a good answer was lost.
  it('stays short, and shows that it does', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `unknown_${index}`);

    const value = headerList(names);

    expect(value).toMatch(/^unknown_0,unknown_1,.*,\.\.\.$/);
    expect(value.length).toBeLessThanOrEqual(1_024 + 4);
  });

  it('leaves out a name that is too long by itself', () => {
    expect(headerList(['a', 'x'.repeat(2_000)])).toBe('a,...');
  });
});
