import { asciiOf, charAt, isAlphanumeric, isDigit, labelBefore, type Stretch, type Text } from './text';

const COLON = 0x3a;
const DOT = 0x2e;
/** `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255` with punctuation around it. */
const MAX_LENGTH = 48;

/** IPv4 and IPv6 addresses, but for those that mean no host in particular: loopback, unspecified, broadcast. */
export function ipAddressesIn(text: Text): readonly Stretch[] {
  const found: Stretch[] = [];
  let index = 0;
  while (index < text.length) {
    const start = index;
    let separators = 0;
    for (let code = charAt(text, index); isPart(code); code = charAt(text, index)) {
      if (code === DOT || code === COLON) separators += 1;
      index += 1;
    }
    if (separators >= 2 && index - start <= MAX_LENGTH) {
      const stretch = withoutPunctuation(text, { start, end: index });
      if (isAddress(text, stretch)) found.push(stretch);
    }
    index += 1;
  }
  return found;
}

/** Hexadecimal digits, dots and colons. */
function isPart(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || code === COLON || code === DOT || (lower >= 0x61 && lower <= 0x66);
}

/** A sentence ends with a dot, and a colon follows what is explained, or comes before a port. */
function withoutPunctuation(text: Text, { start, end }: Stretch): Stretch {
  let [from, to] = [start, end];
  while (from < to && charAt(text, from) === DOT) from += 1;
  while (to > from && charAt(text, to - 1) === DOT) to -= 1;
  if (charAt(text, to - 1) === COLON && charAt(text, to - 2) !== COLON) to -= 1;
  if (charAt(text, from) === COLON && charAt(text, from + 1) !== COLON) from += 1;
  return { start: from, end: to };
}

function isAddress(text: Text, stretch: Stretch): boolean {
  if (isAlphanumeric(charAt(text, stretch.start - 1)) || isAlphanumeric(charAt(text, stretch.end)))
    return false;
  const written = asciiOf(text, stretch.start, stretch.end).toLowerCase();
  const host = written.replace(/^((?:\d+\.){3}\d+):\d{1,5}$/, '$1');
  if (isIpv4(host))
    return !/^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/.test(host) && !isVersion(text, stretch);
  return isIpv6(host);
}

function isIpv4(host: string): boolean {
  const parts = host.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/** `version 1.2.3.4` has four parts like an address. */
function isVersion(text: Text, { start }: Stretch): boolean {
  return /(?:version|ver\.?|release|build|バージョン)\s*[:=]?\s*$/.test(labelBefore(text, start));
}

/** RFC 4291 §2.2. Words of six letters in two scopes (`dead::beef`) are no address: it has a digit. */
function isIpv6(host: string): boolean {
  const halves = host.split('::');
  if (halves.length > 2 || !/\d/.test(host) || host === '::1') return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const embedded = isIpv4(last);
  const size = groups.length + (embedded ? 1 : 0);
  const areHex = (embedded ? groups.slice(0, -1) : groups).every((group) => /^[0-9a-f]{1,4}$/.test(group));
  return areHex && (halves.length === 2 ? size >= 2 && size < 8 : size === 8);
}
