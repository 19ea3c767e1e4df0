import { charAt, labelBefore, SPACE, type Stretch, type Text } from './text';
import {
  digitsOf,
  gapsOf,
  isInUuid,
  isJoinedBy,
  numbersIn,
  shapesOf,
  standsAlone,
  touchesLetter,
} from './number-candidate';
import type { Candidate } from './number-candidate';
import type { DigitGroup, DigitRun } from './digit-run';

/** Phone numbers: international with their `+`, national in a shape that dates and order numbers don't have, or labelled. */
export function phonesIn(text: Text, runs: readonly DigitRun[]): readonly Stretch[] {
  return runs.flatMap((run) => {
    const labelled = labelledPhone(text, run);
    const found =
      labelled === null ? [...internationalPhones(text, run), ...nationalPhones(text, run)] : [labelled];
    return found.filter((stretch) => !isInUuid(text, stretch));
  });
}

const PLUS = 0x2b;
const OPENING_PAREN = 0x28;

/** ITU-T E.164 country codes of one and two digits; every other code that begins with 2 to 9 has three. */
const COUNTRY_CODE =
  /^(?:1[2-9]\d{2}[2-9]\d{6}$|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[0578]\d|9[679]\d)/;
/** E.164 allows fifteen digits; with eight, `+30 000 000` would be a number in Greece. */
const INTERNATIONAL = { min: 9, max: 15 };

function internationalPhones(text: Text, run: DigitRun): readonly Stretch[] {
  const found: Stretch[] = [];
  run.forEach((group, index) => {
    const plus = plusBefore(text, group.start);
    if (plus === null) return;
    const end = endOfInternational(run, index);
    if (end !== null) found.push({ start: plus, end });
  });
  return found;
}

/** Where the `+` stands, directly before or with a paren or a space between; null: nowhere. */
function plusBefore(text: Text, start: number): number | null {
  const between = charAt(text, start - 1);
  const place = between === OPENING_PAREN || between === SPACE ? start - 2 : start - 1;
  return charAt(text, place) === PLUS ? place : null;
}

/** The longest number from this group on that a country could have. A group that has a `+` of its own isn't reached: it begins a run. */
function endOfInternational(run: DigitRun, first: number): number | null {
  let digits = '';
  let end: number | null = null;
  for (let index = first; index < run.length; index += 1) {
    const group = run[index] as DigitGroup;
    if (index > first && group.gap === 'mixed') break;
    digits += group.digits;
    if (digits.length > INTERNATIONAL.max) break;
    if (digits.length >= INTERNATIONAL.min && COUNTRY_CODE.test(digits)) end = group.end;
  }
  return end;
}

type NationalForm = Readonly<{ shape: string; digits: RegExp }>;

/** North America writes `(415) 555-2671`; whoever begins with a trunk 0 has ten or eleven digits in a few groups. */
const NATIONAL_FORMS: readonly NationalForm[] = [
  { shape: '3-3-4', digits: /^(?:[2-9]\d\d[2-9]|0[1-9])/ },
  { shape: '1-3-3-4', digits: /^1[2-9]\d\d[2-9]/ },
  ...[
    '2-4-4',
    '3-4-4',
    '4-2-4',
    '4-3-3',
    '4-3-4',
    '5-1-4',
    '5-6',
    '5-3-3',
    '4-7',
    '3-7',
    '4-6',
    '3-8',
    '2-8',
    '4-8',
  ]
    .concat(['2-2-2-2-2', '3-3-5', '5-5', '3-3-2-2', '4-4-3'])
    .map((shape) => ({ shape, digits: /^0[1-9]/ })),
  // Mobile phones of Japan, the United Kingdom and others, which are typed in one piece.
  { shape: '11', digits: /^(?:0[5789]0\d{8}|07[1-9]\d{8})$/ },
];
const FORM_OF = new Map(NATIONAL_FORMS.map(({ shape, digits }) => [shape, digits]));
const SHAPES = shapesOf(...FORM_OF.keys());

function nationalPhones(text: Text, run: DigitRun): readonly Stretch[] {
  return numbersIn(run, SHAPES, (candidate) => {
    if (!isNationalPhone(text, candidate)) return null;
    const opens = charAt(text, candidate.start - 1) === OPENING_PAREN && gapsOf(candidate)[0] === 'paren';
    return opens ? { start: candidate.start - 1, end: candidate.end } : candidate;
  });
}

function isNationalPhone(text: Text, candidate: Candidate): boolean {
  if (!standsAlone(candidate) || !isDialled(candidate) || touchesLetter(text, candidate)) return false;
  return (
    FORM_OF.get(candidate.shape)?.test(digitsOf(candidate)) === true &&
    plusBefore(text, candidate.start) === null
  );
}

/** `03-1234-5678`, `020 7183 8750`, `0171/1234567`; an area code in parens is joined to the rest in its own way. */
function isDialled(candidate: Candidate): boolean {
  const gaps = gapsOf(candidate);
  if (gaps[0] !== 'paren') return isJoinedBy(candidate, 'dash', 'space', 'dot', 'slash');
  return gaps.slice(1).every((gap) => gap === 'dash' || gap === 'space' || gap === 'paren');
}

const LABEL =
  /(?:(?:^|[^a-z])(?:tel|(?:tele|cell|smart)?phone|mobile|fax|whatsapp)|電話|携帯|でんわ|℡|☎|☏)\D*$/;
const DATE = /^(?:19|20)\d\d-/;
const LABELLED = { min: 7, max: 15 };

/** A run that says of itself what it is. */
function labelledPhone(text: Text, run: DigitRun): Stretch | null {
  const [first, last] = [run[0], run.at(-1)];
  const digits = run.length > INTERNATIONAL.max ? '' : run.map((group) => group.digits).join('');
  if (first === undefined || last === undefined) return null;
  if (digits.length < LABELLED.min || digits.length > LABELLED.max) return null;
  if (
    DATE.test(text.slice(first.start, last.end)) ||
    touchesLetter(text, { start: first.start, end: last.end })
  )
    return null;
  if (!LABEL.test(labelBefore(text, first.start))) return null;
  return { start: plusBefore(text, first.start) ?? first.start, end: last.end };
}
