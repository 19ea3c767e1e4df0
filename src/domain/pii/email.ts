import { charAt, isAlphanumeric, isDigit, type Stretch, type Text } from './text';

const AT = 0x40;
const DOT = 0x2e;
const DASH = 0x2d;
/** RFC 5321: 64 characters before the `@`, 255 behind it. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

/** What RFC 5322 allows beside letters and digits, without what quotes or separates in ordinary text. */
const LOCAL_SIGNS = new Set([..."!#$%&'*+-._~^"].map((sign) => sign.charCodeAt(0)));

type IsPart = (code: number) => boolean;

/** Mail addresses, with tags (`+tag`) and beyond ASCII (`müller@exämple.de`, `用户@例子.广告`). */
export function emailsIn(text: Text): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (charAt(text, at) !== AT) continue;
    const stretch = addressAround(text, at);
    if (stretch !== null) found.push(stretch);
  }
  return found;
}

function addressAround(text: Text, at: number): Stretch | null {
  const end = endOfDomain(text, at + 1);
  if (end === null) return null;
  const start = startOfLocal(text, at);
  return start < at ? { start, end } : null;
}

/**
 * In Japanese an address stands among letters without a space (`メールはtaro@example.com`), so letters without capitals
 * belong to it only where no others do.
 */
function startOfLocal(text: Text, at: number): number {
  const start = reachLeft(text, at, isLocalPart);
  return start === at && isCaselessLetter(charAt(text, at - 1))
    ? reachLeft(text, at, isCaselessLetter)
    : start;
}

function reachLeft(text: Text, at: number, isPart: IsPart): number {
  const limit = Math.max(0, at - MAX_LOCAL);
  let start = at;
  while (start > limit && isPart(charAt(text, start - 1))) start -= 1;
  while (start < at && !isBeginning(charAt(text, start))) start += 1;
  return start;
}

function endOfDomain(text: Text, start: number): number | null {
  return domainEnd(text, start, isCaselessLetter(charAt(text, start)) ? isCaselessDomainPart : isDomainPart);
}

/** Null: no domain with a dot in it and a last label of at least two letters. */
function domainEnd(text: Text, start: number, isPart: IsPart): number | null {
  const limit = Math.min(text.length, start + MAX_DOMAIN);
  let end = start;
  while (end < limit && isPart(charAt(text, end))) end += 1;
  while (end > start && !isBeginning(charAt(text, end - 1))) end -= 1;
  let label = end;
  while (label > start && charAt(text, label - 1) !== DOT) label -= 1;
  const isTopLevel = end - label >= 2 && !isDigit(charAt(text, label));
  return isTopLevel && label > start + 1 ? end : null;
}

function isLocalPart(code: number): boolean {
  return isAlphanumeric(code) || LOCAL_SIGNS.has(code) || isCasedLetter(code);
}

function isDomainPart(code: number): boolean {
  return isAlphanumeric(code) || code === DOT || code === DASH || isCasedLetter(code);
}

function isCaselessDomainPart(code: number): boolean {
  return isCaselessLetter(code) || code === DOT;
}

/** No address begins or ends with a sign, but for the underscore. */
function isBeginning(code: number): boolean {
  return isAlphanumeric(code) || code === 0x5f || code > 0x7f;
}

/** Latin beyond ASCII, combining marks, Greek, Cyrillic. */
function isCasedLetter(code: number): boolean {
  return code >= 0xc0 && code <= 0x52f;
}

/** Kana, ideographs, Hangul and other letters that have no capitals. */
function isCaselessLetter(code: number): boolean {
  return (code >= 0x530 && code <= 0x1fff) || code === 0x3005 || (code >= 0x3041 && code <= 0xd7ff);
}
