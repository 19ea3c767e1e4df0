/** Visible ASCII but for `%`, which the encoding itself uses. Anything else could end a header or isn't allowed in one. */
const PLAIN = /^[!-$&-~]*$/;
const ENCODED = /[^!-$&-~]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A caller may send any number of unknown fields, and clients refuse heads of more than 8 to 16 KiB. */
const LIST_CHARS = 1_024;

/** A header value: characters outside visible ASCII are percent-encoded as UTF-8 (DESIGN §8). */
export function headerValue(text: string): string {
  if (PLAIN.test(text)) return text;
  // A lone surrogate has no UTF-8, and encodeURIComponent throws on it.
  return text.replace(LONE_SURROGATE, '\uFFFD').replace(ENCODED, encodeURIComponent);
}

/** Names separated by commas. What doesn't fit shows as `...`; the extension in the body names all. */
export function headerList(names: readonly string[]): string {
  const encoded = names.map((name) => headerValue(name).replaceAll(',', '%2C'));
  let length = 0;
  const fitting = encoded.filter((name) => (length += name.length + 1) <= LIST_CHARS);
  return (fitting.length === encoded.length ? encoded : [...fitting, '...']).join(',');
}
