import { charAt, labelBefore, type Stretch, type Text } from './text';
import {
  digitsOf,
  isInUuid,
  isJoinedBy,
  numbersIn,
  shapesOf,
  standsAlone,
  touchesLetter,
} from './number-candidate';
import type { Candidate } from './number-candidate';
import type { DigitRun } from './digit-run';

type IsValid = (digits: string) => boolean;

/** Numbers with a check digit, which chance meets rarely: by the shapes in which they are written. */
const NATIONAL_IDS: Readonly<Record<string, readonly IsValid[]>> = {
  // Japan, My Number
  '12': [isMyNumber],
  '4-4-4': [isMyNumber],
  // Brazil, CPF; Germany, Steuer-ID
  '11': [isCpf, isSteuerId],
  '3-3-3-2': [isCpf],
  '2-3-3-3': [isSteuerId],
  // France, numéro de sécurité sociale
  '15': [isNir],
  '13-2': [isNir],
  '1-2-2-2-3-3-2': [isNir],
  // China, resident identity card
  '18': [isResidentId],
  '6-8-4': [isResidentId],
};
const SHAPES = shapesOf(...Object.keys(NATIONAL_IDS), '17', '9', '3-2-4');

/** National identification numbers: of Japan, the USA, Brazil, Germany, France and China. */
export function nationalIdsIn(text: Text, runs: readonly DigitRun[]): readonly Stretch[] {
  return runs.flatMap((run) =>
    numbersIn(run, SHAPES, (candidate) => {
      const stretch = nationalIdAt(text, candidate);
      return stretch === null || isInUuid(text, stretch) ? null : stretch;
    }),
  );
}

function nationalIdAt(text: Text, candidate: Candidate): Stretch | null {
  if (!standsAlone(candidate) || isInternational(text, candidate)) return null;
  const digits = digitsOf(candidate);
  if (candidate.shape === '17') return residentIdWithX(text, candidate, digits);
  if (touchesLetter(text, candidate)) return null;
  const isChecked = (NATIONAL_IDS[candidate.shape] ?? []).some((isValid) => isValid(digits));
  return isChecked || isSocialSecurity(text, candidate, digits) ? candidate : null;
}

/** Behind a `+` stands a phone number. */
function isInternational(text: Text, { start }: Candidate): boolean {
  return charAt(text, start - 1) === 0x2b;
}

/** SSA: no area 000, 666 or 900–999, no group 00, no serial 0000. It has no check digit, so it needs its dashes or a label. */
function isSocialSecurity(text: Text, candidate: Candidate, digits: string): boolean {
  if (!/^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits)) return false;
  if (candidate.shape === '3-2-4') return isJoinedBy(candidate, 'dash', 'space');
  return /ssn|social security/.test(labelBefore(text, candidate.start));
}

/** Ministry of Internal Affairs ordinance 85 of 2014, article 5: weights 2 to 7 and 2 to 6 from the right. */
function isMyNumber(digits: string): boolean {
  const weights = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
  const rest = weightedSum(digits, weights) % 11;
  return !isOneDigit(digits) && Number(digits[11]) === (rest <= 1 ? 0 : 11 - rest);
}

function isCpf(digits: string): boolean {
  const checkAfter = (count: number): number => {
    const weights = Array.from({ length: count }, (_unused, index) => count + 1 - index);
    return ((weightedSum(digits, weights) * 10) % 11) % 10;
  };
  return !isOneDigit(digits) && Number(digits[9]) === checkAfter(9) && Number(digits[10]) === checkAfter(10);
}

/** Among the first ten digits one comes two or three times and none more often; the last one is ISO 7064 MOD 11,10. */
function isSteuerId(digits: string): boolean {
  const first = digits.slice(0, 10);
  const repeated = [...new Set(first)]
    .map((digit) => first.split(digit).length - 1)
    .filter((count) => count > 1);
  if (digits.startsWith('0') || repeated.length !== 1 || (repeated[0] ?? 0) > 3) return false;
  let product = 10;
  for (const digit of first) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return Number(digits[10]) === (11 - product) % 10;
}

/** Sex, year, month and place of birth, and 97 less the rest of a division by 97. */
function isNir(digits: string): boolean {
  if (!/^[12]\d\d(?:0[1-9]|1[0-2]|[2-9]\d)/.test(digits)) return false;
  return Number(digits.slice(13)) === 97 - (Number(digits.slice(0, 13)) % 97);
}

const RESIDENT_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const RESIDENT_CHECKS = '10X98765432';

/** GB 11643-1999: place, date of birth, and ISO 7064 MOD 11-2. */
function isResidentId(id: string): boolean {
  if (!/^[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/.test(id)) return false;
  return id[17] === RESIDENT_CHECKS[weightedSum(id, RESIDENT_WEIGHTS) % 11];
}

/** The check digit ten is written X. */
function residentIdWithX(text: Text, { start, end }: Candidate, digits: string): Stretch | null {
  if ((charAt(text, end) | 0x20) !== 0x78) return null;
  return isResidentId(`${digits}X`) ? { start, end: end + 1 } : null;
}

function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

function isOneDigit(digits: string): boolean {
  return /^(\d)\1*$/.test(digits);
}
