import { asciiOf, charAt, isAlphanumeric, isAsciiLetter, isDigit, type Stretch, type Text } from './text';

/** SWIFT IBAN registry, release 99: the whole length by country. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI FK FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)])),
);

/** Bank account numbers (ISO 13616): country, its length, and MOD 97-10; in one piece or in groups. */
export function ibansIn(text: Text): readonly Stretch[] {
  const found: Stretch[] = [];
  let index = 0;
  while (index < text.length) {
    const stretch = beginsIban(text, index) ? ibanAt(text, index) : null;
    if (stretch !== null) found.push(stretch);
    index = stretch?.end ?? index + 1;
  }
  return found;
}

function beginsIban(text: Text, index: number): boolean {
  return (
    isAsciiLetter(charAt(text, index)) &&
    isDigit(charAt(text, index + 2)) &&
    isAsciiLetter(charAt(text, index + 1)) &&
    isDigit(charAt(text, index + 3)) &&
    !isAlphanumeric(charAt(text, index - 1))
  );
}

function ibanAt(text: Text, start: number): Stretch | null {
  const length = LENGTHS.get(asciiOf(text, start, start + 2).toUpperCase());
  if (length === undefined) return null;
  let iban = '';
  let end = start;
  while (iban.length < length) {
    if (!isAlphanumeric(charAt(text, end))) {
      if (!isGroupGap(text, end)) return null;
      end += 1;
    }
    iban += String.fromCharCode(charAt(text, end));
    end += 1;
  }
  return !isAlphanumeric(charAt(text, end)) && passesMod97(iban.toUpperCase()) ? { start, end } : null;
}

/** One space or dash with more of the number behind it. */
function isGroupGap(text: Text, index: number): boolean {
  const code = charAt(text, index);
  return (code === 0x20 || code === 0xa0 || code === 0x2d) && isAlphanumeric(charAt(text, index + 1));
}

/** ISO 7064 MOD 97-10: the first four characters go behind, letters count from ten, and the rest is one. */
function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
