import { asciiOf, charAt, isDigit, type Stretch, type Text } from './text';

/** What joins a group to the one before it; `mixed`: signs of more than one kind. */
export type Gap = 'none' | 'space' | 'dash' | 'dot' | 'slash' | 'paren' | 'mixed';

/** Digits in a row, as ASCII. */
export type DigitGroup = Stretch & Readonly<{ digits: string; gap: Gap }>;

/** Groups that follow each other with nothing but a few separators between: `4111 1111 1111 1111`, `(03) 1234-5678`. */
export type DigitRun = readonly DigitGroup[];

/** `415) - 555` has three. */
const MAX_GAP = 3;
/** No number that is looked for is longer; digits that are end a run. */
const MAX_DIGITS = 19;

/** Nothing that is looked for has fewer digits. */
const MIN_DIGITS = 7;

/** The runs of the text that are long enough. Each character is read a fixed number of times, however the digits stand. */
export function digitRunsOf(text: Text): readonly DigitRun[] {
  const runs: DigitRun[] = [];
  let run: DigitGroup[] = [];
  let end = 0;
  for (let start = nextDigit(text, 0); start < text.length; start = nextDigit(text, end)) {
    end = endOfDigits(text, start);
    const isTooLong = end - start > MAX_DIGITS;
    const gap = isTooLong ? null : gapBetween(text, run.at(-1)?.end ?? -1, start);
    if (gap === null) {
      if (isLongEnough(run)) runs.push(run);
      run = [];
    }
    if (!isTooLong) run.push({ start, end, digits: asciiOf(text, start, end), gap: gap ?? 'none' });
  }
  if (isLongEnough(run)) runs.push(run);
  return runs;
}

function nextDigit(text: Text, from: number): number {
  let index = from;
  while (index < text.length && !isDigit(charAt(text, index))) index += 1;
  return index;
}

function endOfDigits(text: Text, start: number): number {
  let end = start;
  while (isDigit(charAt(text, end))) end += 1;
  return end;
}

function isLongEnough(run: DigitRun): boolean {
  let digits = 0;
  for (let index = 0; index < run.length && digits < MIN_DIGITS; index += 1)
    digits += run[index]?.digits.length ?? 0;
  return digits >= MIN_DIGITS;
}

/** Null: something stands between that joins no number. */
function gapBetween(text: Text, from: number, to: number): Gap | null {
  if (from < 0 || to - from > MAX_GAP) return null;
  let gap: Gap = 'space';
  for (let index = from; index < to; index += 1) {
    const kind = separatorOf(charAt(text, index));
    if (kind === null) return null;
    if (kind === 'space' || kind === gap) continue;
    gap = gap === 'space' ? kind : gap === 'paren' || kind === 'paren' ? 'paren' : 'mixed';
  }
  return gap;
}

const SEPARATORS: ReadonlyMap<number, Gap> = new Map<number, Gap>([
  ...[0x20, 0xa0, 0x2007, 0x2009, 0x202f].map((code): [number, Gap] => [code, 'space']),
  // Dashes of every length, the minus, and the Japanese long vowel sign, which is typed for one.
  ...[0x2d, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0x30fc].map((code): [number, Gap] => [
    code,
    'dash',
  ]),
  [0x2e, 'dot'],
  [0x2f, 'slash'],
  [0x28, 'paren'],
  [0x29, 'paren'],
]);

function separatorOf(code: number): Gap | null {
  return SEPARATORS.get(code) ?? null;
}
