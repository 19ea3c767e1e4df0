import { charAt, isAlphanumeric, type Stretch, type Text } from './text';

type KeyForm = Readonly<{ prefix: string; rest: RegExp }>;

/** Keys and tokens by the prefix that their issuer gives them, so that they can be found. */
const KEY_FORMS: readonly KeyForm[] = [
  // OpenAI (`sk-proj-…`), Anthropic (`sk-ant-…`), OpenRouter, our own keys and others that took the form
  { prefix: 'sk-', rest: /^(?=[\w-]*\d)[\w-]{20,}/ },
  // Stripe
  { prefix: 'sk_', rest: /^(?:live|test)_[A-Za-z0-9]{16,}/ },
  { prefix: 'rk_', rest: /^(?:live|test)_[A-Za-z0-9]{16,}/ },
  { prefix: 'whsec_', rest: /^[A-Za-z0-9+/=]{24,}/ },
  // AWS
  { prefix: 'AKIA', rest: /^[A-Z0-9]{16}(?![A-Za-z0-9])/ },
  { prefix: 'ASIA', rest: /^[A-Z0-9]{16}(?![A-Za-z0-9])/ },
  // GitHub, GitLab
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({ prefix, rest: /^[A-Za-z0-9]{36,}/ })),
  { prefix: 'github_pat_', rest: /^\w{22,}/ },
  { prefix: 'glpat-', rest: /^[\w-]{20,}/ },
  // Slack
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xapp-'].map((prefix) => ({
    prefix,
    rest: /^[\w-]{10,}/,
  })),
  // Google
  { prefix: 'AIza', rest: /^[\w-]{35}/ },
  { prefix: 'ya29.', rest: /^[\w-]{20,}/ },
  // Hugging Face, npm, PyPI, SendGrid, Groq, xAI, Replicate, DigitalOcean, Shopify
  { prefix: 'hf_', rest: /^[A-Za-z0-9]{30,}/ },
  { prefix: 'npm_', rest: /^[A-Za-z0-9]{36}/ },
  { prefix: 'pypi-', rest: /^[\w-]{50,}/ },
  { prefix: 'SG.', rest: /^[\w-]{16,}\.[\w-]{16,}/ },
  { prefix: 'gsk_', rest: /^[A-Za-z0-9]{40,}/ },
  { prefix: 'xai-', rest: /^[A-Za-z0-9]{40,}/ },
  { prefix: 'r8_', rest: /^[A-Za-z0-9]{36,}/ },
  { prefix: 'dop_v1_', rest: /^[a-f0-9]{64}/ },
  { prefix: 'shpat_', rest: /^[a-fA-F0-9]{32}/ },
  // JSON Web Tokens (RFC 7519): a base64url header that begins with `{"`
  { prefix: 'eyJ', rest: /^[\w-]{7,}\.[\w-]{10,}\.[\w-]*/ },
];
const SHORTEST = 12;
const FIRST_LETTERS = new Set(KEY_FORMS.map(({ prefix }) => prefix.charCodeAt(0)));

const DASH = 0x2d;
const BACKSLASH = 0x5c;

/** API keys, tokens and private keys. The text is read word by word, and no word twice. */
export function secretsIn(text: Text): readonly Stretch[] {
  const found: Stretch[] = [];
  let index = 0;
  while (index < text.length) {
    const code = charAt(text, index);
    // `\n` in escaped text is the end of a line and no beginning of a word.
    if (code === BACKSLASH) {
      index += 2;
    } else if (!isWordPart(code)) {
      index += 1;
    } else {
      const end = endOfWord(text, index);
      const stretch =
        code === DASH ? privateKeyAt(text, { start: index, end }) : keyAt(text, { start: index, end });
      if (stretch !== null) found.push(stretch);
      index = Math.max(end, stretch?.end ?? 0);
    }
  }
  return found;
}

/** What keys and tokens are made of. */
function isWordPart(code: number): boolean {
  return isAlphanumeric(code) || code === DASH || code === 0x5f || code === 0x2e;
}

function endOfWord(text: Text, start: number): number {
  let end = start;
  while (isWordPart(charAt(text, end))) end += 1;
  return end;
}

function keyAt(text: Text, { start, end }: Stretch): Stretch | null {
  if (end - start < SHORTEST || !FIRST_LETTERS.has(charAt(text, start))) return null;
  const word = text.slice(start, end);
  const form = KEY_FORMS.find(({ prefix }) => word.startsWith(prefix));
  if (form === undefined) return null;
  const rest = form.rest.exec(word.slice(form.prefix.length));
  return rest === null ? null : { start, end: start + form.prefix.length + rest[0].length };
}

const BEGIN = '-----BEGIN';
const END = '-----END';
const RULER = '-----';
const HEADER_LENGTH = 64;

/** PEM (RFC 7468). Without its end the key still begins here: the line that says so and what follows in base64 belong to it. */
function privateKeyAt(text: Text, { start, end }: Stretch): Stretch | null {
  if (text.slice(start, end) !== BEGIN) return null;
  const header = /^-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/.exec(
    text.slice(start, start + HEADER_LENGTH),
  );
  if (header === null) return null;
  let ruler = start + header[0].length;
  const body = ruler;
  while (ruler < text.length && !isRuler(text, ruler)) ruler += 1;
  if (text.slice(ruler, ruler + END.length) !== END) return { start, end: endOfBase64(text, body, ruler) };
  let last = ruler + END.length;
  while (last < ruler + HEADER_LENGTH && charAt(text, last) !== DASH) last += 1;
  return { start, end: Math.min(text.length, last + RULER.length) };
}

/** An encrypted key's head has single dashes (`DEK-Info: AES-256-CBC`). */
function isRuler(text: Text, index: number): boolean {
  return charAt(text, index) === DASH && charAt(text, index + 1) === DASH;
}

function endOfBase64(text: Text, body: number, limit: number): number {
  let end = body;
  while (end < limit && isBase64OrBreak(charAt(text, end))) end += 1;
  return end;
}

/** A line break can be one, or its escape. */
function isBase64OrBreak(code: number): boolean {
  return isAlphanumeric(code) || [0x2b, 0x2f, 0x3d, 0x0a, 0x0d, BACKSLASH].includes(code);
}
