import type { JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

const REDACTED = '[redacted]';

/** Deeper than any provider's error body; below it nothing is kept. */
const MAX_DEPTH = 32;

/** A masked key: providers repeat it as `sk-…abcd` or `sk-proj-****abcd`. */
const MASK = '(?:\\*{2,}|\\.{3,}|…|•{2,}|x{4,})+';

/** What looks like a credential or names our account, whoever it belongs to. Linear: no nested repetition. */
const PATTERNS: readonly RegExp[] = [
  /\bBearer\s+[^\s"'<>,;]+/gi,
  /\b(?:sk|pk|rk|gsk|csk|xai|pplx|nvapi|fw|hf|r8)[-_][A-Za-z0-9_-]{12,}/g,
  new RegExp(`\\b(?:sk|pk|rk|gsk|xai)[-_][A-Za-z0-9_-]*${MASK}[A-Za-z0-9_-]*`, 'g'),
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b(?:org|proj)[-_][A-Za-z0-9]{8,}/g,
  /(?<=[?&](?:key|api_key|api-key|token|access_token|sig)=)[^&\s"'<>]+/gi,
  /(?<=\b(?:x-api-key|api-key|authorization)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'<>,;]{6,}/gi,
];

/** Removes credentials from texts: values that are known to be secret, their masked remains, and what looks like a key. */
export class SecretRedactor {
  private readonly known: readonly string[];
  private readonly patterns: readonly RegExp[];

  constructor(secrets: readonly string[]) {
    // A short value would match everywhere; no real credential is that short.
    const long = secrets.filter((secret) => secret.length >= 6);
    this.known = [...new Set(long.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
    this.patterns = [...long.map(maskedRemains), ...PATTERNS];
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.known) clean = clean.replaceAll(secret, REDACTED);
    for (const pattern of this.patterns) clean = clean.replace(pattern, REDACTED);
    return clean;
  }

  json(value: JsonValue, depth = 0): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return null;
    if (!isJsonObject(value)) return value.map((item) => this.json(item, depth + 1));
    const members = Object.entries(value).map(([name, member]) => [
      this.text(name),
      this.json(member ?? null, depth + 1),
    ]);
    return Object.fromEntries(members) as JsonValue;
  }
}

/** Any beginning of the secret (3 characters or more), a mask, and any of its last characters. */
function maskedRemains(secret: string): RegExp {
  const start = escaped(secret.slice(0, 3));
  return new RegExp(`${start}[A-Za-z0-9_-]{0,40}${MASK}[A-Za-z0-9_-]{0,40}`, 'g');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
