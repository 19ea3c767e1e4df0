import type { Stretch, Text } from './text';

/** A text as a reader sees it, and where its stretches stand in the text that was sent. */
export type PlainText = Readonly<{ text: Text; sent: (stretch: Stretch) => Stretch }>;

/** From `at` of the plain text on, what was sent stands `by` characters further. */
type Shift = Readonly<{ at: number; by: number }>;

/**
 * What nobody sees: soft hyphens, joiners, marks of direction and of the order of bytes. They come along when text is
 * copied out of pages, contacts and messages, and stand in the middle of numbers and names.
 */
const UNSEEN: readonly (readonly [from: number, to: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];

/** The zeros of scripts that have digits of their own: Arabic, Persian, Indic ones, Thai, Lao, Tibetan, Burmese, Khmer. */
const ZEROS: readonly number[] = [
  ...[0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66],
  ...[0xe50, 0xed0, 0xf20, 0x1040, 0x17e0],
];
const ASCII_END = 0x80;

/** The text without what nobody sees, and with its digits in ASCII; the same text, where it has nothing of both. */
export function plainTextOf(text: Text): PlainText {
  let plain = '';
  let done = 0;
  const shifts: Shift[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const shown = shownFor(text.charCodeAt(index));
    if (shown === null) continue;
    plain += text.slice(done, index) + shown;
    done = index + 1;
    if (shown === '') shifts.push({ at: plain.length, by: done - plain.length });
  }
  if (done === 0) return { text, sent: ({ start, end }) => ({ start, end }) };
  return { text: plain + text.slice(done, text.length), sent: (stretch) => sentStretch(stretch, shifts) };
}

/** What is seen in place of a character; null: itself. */
function shownFor(code: number): string | null {
  if (code < ASCII_END) return null;
  if (UNSEEN.some(([from, to]) => code >= from && code <= to)) return '';
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? null : String(code - zero);
}

/** What nobody sees at its ends doesn't belong to it. */
function sentStretch({ start, end }: Stretch, shifts: readonly Shift[]): Stretch {
  return { start: start + shiftAt(start, shifts), end: end + shiftAt(end - 1, shifts) };
}

/** By bisection, since a text can be full of them. */
function shiftAt(index: number, shifts: readonly Shift[]): number {
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle]?.at ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return shifts[low - 1]?.by ?? 0;
}
