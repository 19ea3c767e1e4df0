import type { Stretch, Text } from './text';
import {
  digitsOf,
  isInUuid,
  isInWord,
  isJoinedBy,
  isNoDecimal,
  numbersIn,
  shapesOf,
} from './number-candidate';
import type { Candidate } from './number-candidate';
import type { DigitRun } from './digit-run';

type Issuer = Readonly<{
  prefixes: readonly (readonly [from: number, to: number])[];
  lengths: readonly number[];
}>;

const FROM_16: readonly number[] = [16, 17, 18, 19];

/** Prefixes and lengths of ISO/IEC 7812 issuers, as the networks publish them. */
const ISSUERS: readonly Issuer[] = [
  // Visa
  { prefixes: [[4, 4]], lengths: [13, 16, 19] },
  // Mastercard
  {
    prefixes: [
      [51, 55],
      [2221, 2720],
    ],
    lengths: [16],
  },
  // American Express
  {
    prefixes: [
      [34, 34],
      [37, 37],
    ],
    lengths: [15],
  },
  // Diners Club
  {
    prefixes: [
      [36, 36],
      [38, 39],
      [300, 305],
      [3095, 3095],
    ],
    lengths: [14, ...FROM_16],
  },
  // JCB
  { prefixes: [[3528, 3589]], lengths: FROM_16 },
  // Discover, UnionPay, RuPay
  {
    prefixes: [
      [6011, 6011],
      [644, 649],
      [65, 65],
      [60, 60],
      [62, 62],
      [81, 82],
      [508, 508],
    ],
    lengths: FROM_16,
  },
  // Maestro
  {
    prefixes: [
      [5018, 5018],
      [5020, 5020],
      [5038, 5038],
      [5893, 5893],
      [6304, 6304],
      [6759, 6759],
      [6761, 6763],
    ],
    lengths: [13, 14, 15, ...FROM_16],
  },
  // Mir, Troy, Verve
  {
    prefixes: [
      [2200, 2204],
      [9792, 9792],
      [506099, 506198],
    ],
    lengths: FROM_16,
  },
];

/** In one piece, as the networks print them, and as people who count in fours or eights type them. */
const SHAPES = shapesOf(
  ...['13', '14', '15', '16', '17', '18', '19'],
  ...['4-4-4-4', '4-4-4-4-1', '4-4-4-4-2', '4-4-4-4-3', '4-4-4-1', '4-4-4-2', '4-4-4-3'],
  ...['4-6-5', '4-6-4', '4-5-6', '8-8', '4-12', '4-4-8', '4-8-4', '6-13', '6-10'],
);

/** Card numbers: a known issuer, a length that it issues, and the check digit (Luhn); in one piece or in groups. */
export function paymentCardsIn(text: Text, runs: readonly DigitRun[]): readonly Stretch[] {
  return runs.flatMap((run) =>
    numbersIn(run, SHAPES, (candidate) => {
      const isFound = isCard(candidate) && !isInWord(text, candidate) && !isInUuid(text, candidate);
      return isFound ? candidate : null;
    }),
  );
}

/** A year, a CVC or an amount may follow a card, so it needn't stand alone. */
function isCard(candidate: Candidate): boolean {
  if (!isJoinedBy(candidate, 'space', 'dash') || !isNoDecimal(candidate)) return false;
  const digits = digitsOf(candidate);
  return passesLuhn(digits) && isIssued(digits);
}

function isIssued(digits: string): boolean {
  return ISSUERS.some(
    ({ prefixes, lengths }) =>
      lengths.includes(digits.length) &&
      prefixes.some(([from, to]) => {
        const prefix = Number(digits.slice(0, String(from).length));
        return prefix >= from && prefix <= to;
      }),
  );
}

const DIGIT_ZERO = 0x30;

/** ISO/IEC 7812-1 annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - DIGIT_ZERO;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
