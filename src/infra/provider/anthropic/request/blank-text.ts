/**
 * Anthropic refuses text blocks and stop sequences without a visible character. Unicode's white space, plus what common
 * servers strip beside it: the byte order mark and the ASCII separators.
 */
const BLANK = /^[\p{White_Space}\uFEFF\u001C-\u001F]*$/u;

export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
