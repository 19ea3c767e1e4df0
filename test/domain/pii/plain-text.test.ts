import fc from 'fast-check';
import { detect } from '../../../src/domain/pii/detect';
import { PII_CLASSES } from '../../../src/domain/pii/pii-class';
import { plainTextOf } from '../../../src/domain/pii/plain-text';
import { found } from './found';

const UNSEEN = ['\u00ad', '\u200b', '\u200d', '\u200e', '\u202a', '\u2060', '\u2069', '\ufe0f', '\ufeff'];
const SAMPLE =
  'jane@example.com, 4111 1111 1111 1111, +81 3-1234-5678, DE89370400440532013000, 078-05-1120, AKIAIOSFODNN7EXAMPLE, 10.1.2.3';
const EVERYTHING = new Set(PII_CLASSES);

/** What is found of each class, by what of it is seen. */
function seenIn(text: string): readonly string[] {
  return detect(text, EVERYTHING).map(
    (span) => `${span.class} ${plainTextOf(text.slice(span.start, span.end)).text.slice(0, 100)}`,
  );
}

describe('plain text', () => {
  it('is the text itself where it has nothing to leave out', () => {
    const text = '札幌 naïve 🌨 ４１１１';

    expect(plainTextOf(text).text).toBe(text);
  });

  it('tells where a stretch stands in what was sent, without the unseen at its ends', () => {
    const text = 'a\u200b\u200bb\u200bc\u200bd';
    const { text: plain, sent } = plainTextOf(text);

    expect(plain).toBe('abcd');
    expect(sent({ start: 1, end: 3 })).toEqual({ start: 3, end: 6 });
    expect(sent({ start: 0, end: 1 })).toEqual({ start: 0, end: 1 });
    expect(sent({ start: 0, end: 4 })).toEqual({ start: 0, end: text.length });
  });

  it('hides nothing, wherever unseen characters stand', () => {
    const places = fc.array(fc.tuple(fc.nat(SAMPLE.length), fc.constantFrom(...UNSEEN)), { maxLength: 40 });
    fc.assert(
      fc.property(places, (inserted) => {
        let text = SAMPLE;
        for (const [at, sign] of inserted) text = text.slice(0, at) + sign + text.slice(at);

        expect(seenIn(text)).toEqual(seenIn(SAMPLE));
      }),
    );
  });

  it.each([
    ['Arabic', '٤١١١ ١١١١ ١١١١ ١١١١'],
    ['Persian', '۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱'],
    ['Devanagari', '४१११११११११११११११'],
    ['Thai', '๔๑๑๑-๑๑๑๑-๑๑๑๑-๑๑๑๑'],
  ])('has %s digits as what they stand for', (_script, card) => {
    expect(found('payment_card', `… ${card} …`)).toEqual([card]);
  });
});
