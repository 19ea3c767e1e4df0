/** Visible ASCII but for `%`, which the encoding itself uses. Anything else could end a header or isn't allowed in one. */
const PLAIN = /^[!-$&-~]*$/;
const ENCODED = /[^!-$&-~]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A header value: characters outside visible ASCII are percent-encoded as UTF-8 (DESIGN §8). */
export function headerValue(text: string): string {
  if (PLAIN.test(text)) return text;
  // A lone surrogate has no UTF-8, and encodeURIComponent throws on it.
  return text.replace(LONE_SURROGATE, '\uFFFD').replace(ENCODED, encodeURIComponent);
}
