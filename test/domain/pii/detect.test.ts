import { detect } from '../../../src/domain/pii/detect';
import { PII_CLASSES } from '../../../src/domain/pii/pii-class';
import type { Text } from '../../../src/domain/pii/text';

const EVERYTHING = new Set(PII_CLASSES);

/** Counts every character that is read of it. */
class CountingText implements Text {
  reads = 0;

  constructor(private readonly text: string) {}

  get length(): number {
    return this.text.length;
  }

  charCodeAt(index: number): number {
    this.reads += 1;
    return this.text.charCodeAt(index);
  }

  slice(start: number, end: number): string {
    this.reads += end - start;
    return this.text.slice(start, end);
  }
}

function readsOf(piece: string, chars: number): number {
  const text = new CountingText(piece.repeat(Math.ceil(chars / piece.length)));
  detect(text, EVERYTHING);
  return text.reads;
}

describe('detect', () => {
  it('tells what it found in the order of the text, each class by itself', () => {
    const text = 'jane@example.com, 4111 1111 1111 1111, 10.1.2.3';

    expect(detect(text, EVERYTHING)).toEqual([
      { class: 'email', start: 0, end: 16 },
      { class: 'payment_card', start: 18, end: 37 },
      { class: 'ip_address', start: 39, end: 47 },
    ]);
  });

  it('looks for nothing that it was not asked for', () => {
    expect(detect('jane@example.com', new Set(['phone' as const]))).toEqual([]);
  });

  it.each([
    ['words', 'Lorem ipsum dolor sit amet, 12 consectetur. '],
    ['digits', '1'],
    ['groups of a card that is none', '4111 '],
    ['pairs of digits', '12 '],
    ['phones that never are', '+1 '],
    ['labels', 'tel '],
    ['at signs', '@'],
    ['addresses without an end', 'a@'],
    ['a local part without an end', 'aaaaaaaaaa'],
    ['dots', '1.'],
    ['colons', 'a:'],
    ['private keys without an end', '-----BEGIN PRIVATE KEY-----'],
    ['rulers', '-'],
    ['tokens without an end', 'eyJ'],
    ['tokens in pieces', 'eyJaaaaaaaa.'],
    ['keys without an end', 'sk-'],
    ['accounts that are none', 'DE89 '],
    ['backslashes', '\\'],
    ['full width', '４１１１ '],
    ['what nobody sees', '\u200b'],
    ['digits with unseen signs between', '4\u200b1\u200b'],
    ['digits of another script', '٤'],
  ])('reads %s in linear time', (_name, piece) => {
    const [short, long] = [readsOf(piece, 2_000), readsOf(piece, 32_000)];

    // Sixteen times the text may cost sixteen times the reads, and a little for what stands at its ends.
    expect(long).toBeLessThan(short * 17);
    expect(long).toBeLessThan(32_000 * 200);
  });
});
