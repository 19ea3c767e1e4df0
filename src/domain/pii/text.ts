/** Text as detectors read it: a string, or in tests something that counts what is read of it. */
export type Text = Pick<string, 'length' | 'charCodeAt' | 'slice'>;

/** A stretch of a text: `start` is its first character, `end` the one behind its last; both in UTF-16 units. */
export type Stretch = Readonly<{ start: number; end: number }>;

const FULL_WIDTH_FIRST = 0xff01;
const FULL_WIDTH_LAST = 0xff5e;
const FULL_WIDTH_OFFSET = 0xfee0;
const IDEOGRAPHIC_SPACE = 0x3000;
export const SPACE = 0x20;

/** The character at `index`, a full-width one as the ASCII character that it stands for; 0 outside of the text. */
export function charAt(text: Text, index: number): number {
  const code = text.charCodeAt(index);
  if (code < IDEOGRAPHIC_SPACE) return code;
  if (code >= FULL_WIDTH_FIRST && code <= FULL_WIDTH_LAST) return code - FULL_WIDTH_OFFSET;
  // Behind the end it is NaN.
  return code === IDEOGRAPHIC_SPACE ? SPACE : code || 0;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || isAsciiLetter(code);
}

const FULL_WIDTH = /[\uFF01-\uFF5E]/;

/** What stands from `start` to `end`, with its full-width characters in ASCII. */
export function asciiOf(text: Text, start: number, end: number): string {
  const slice = text.slice(start, end);
  if (!FULL_WIDTH.test(slice)) return slice;
  return [...slice].map((_char, index) => String.fromCharCode(charAt(slice, index))).join('');
}

const LABEL_LENGTH = 24;

/** What stands directly before `index`, as far as a label reaches, in small letters. */
export function labelBefore(text: Text, index: number): string {
  return asciiOf(text, Math.max(0, index - LABEL_LENGTH), index).toLowerCase();
}
