import { charAt, isAsciiLetter, type Stretch, type Text } from './text';
import type { DigitRun, Gap } from './digit-run';

/** Consecutive groups of a run, from `first` to `last`, in a shape that is looked for. */
export type Candidate = Stretch & Readonly<{ run: DigitRun; first: number; last: number; shape: string }>;

/** Ways to write a number, by the sizes of its groups: `4-6-5`. */
export type Shapes = Readonly<{ byCode: ReadonlyMap<number, string>; maxGroups: number }>;

/** More than a group can have digits. */
const CODE_BASE = 32;

export function shapesOf(...shapes: readonly string[]): Shapes {
  const sizes = shapes.map((shape) => shape.split('-').map(Number));
  const codes = sizes.map((groups) => groups.reduce((code, size) => code * CODE_BASE + size, 0));
  return {
    byCode: new Map(shapes.map((shape, index) => [codes[index] ?? 0, shape])),
    maxGroups: Math.max(...sizes.map((groups) => groups.length)),
  };
}

/** What the candidates of a run turn out to be, in their order; null: nothing. None begins within the one before. */
export function numbersIn(
  run: DigitRun,
  shapes: Shapes,
  numberAt: (candidate: Candidate) => Stretch | null,
): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const candidate of candidatesOf(run, shapes)) {
    if (candidate.start < (found.at(-1)?.end ?? 0)) continue;
    const number = numberAt(candidate);
    if (number !== null) found.push(number);
  }
  return found;
}

/** Every place of a run where consecutive groups have one of the shapes, the longest from each group first. */
function candidatesOf(run: DigitRun, { byCode, maxGroups }: Shapes): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (let first = 0; first < run.length; first += 1) {
    const longest = Math.min(run.length, first + maxGroups);
    const before = candidates.length;
    let code = 0;
    for (let last = first; last < longest; last += 1) {
      code = code * CODE_BASE + (run[last]?.digits.length ?? 0);
      const shape = byCode.get(code);
      if (shape === undefined) continue;
      const [start, end] = [run[first]?.start ?? 0, run[last]?.end ?? 0];
      candidates.splice(before, 0, { run, first, last, shape, start, end });
    }
  }
  return candidates;
}

export function digitsOf({ run, first, last }: Candidate): string {
  let digits = '';
  for (let index = first; index <= last; index += 1) digits += run[index]?.digits ?? '';
  return digits;
}

/** What joins the groups, from the second on. */
export function gapsOf({ run, first, last }: Candidate): readonly Gap[] {
  return run.slice(first + 1, last + 1).map(({ gap }) => gap);
}

/** Whether the groups are joined in the same way everywhere, and by one of these; a single group is. */
export function isJoinedBy({ run, first, last }: Candidate, ...allowed: readonly Gap[]): boolean {
  if (first === last) return true;
  const gap = run[first + 1]?.gap ?? 'none';
  if (!allowed.includes(gap)) return false;
  for (let index = first + 2; index <= last; index += 1) if (run[index]?.gap !== gap) return false;
  return true;
}

/** Whether it is neither a piece of a longer number, written in the same way, nor of a decimal one. */
export function standsAlone(candidate: Candidate): boolean {
  if (!isNoDecimal(candidate)) return false;
  const { run, first, last } = candidate;
  const [before, after] = [run[first]?.gap, run[last + 1]?.gap];
  for (let index = first + 1; index <= last; index += 1) {
    const gap = run[index]?.gap;
    if (gap === before || gap === after) return false;
  }
  return true;
}

/** The digits of `0.4111…` are no number of their own. */
export function isNoDecimal({ run, first, last }: Candidate): boolean {
  return run[first]?.gap !== 'dot' && run[last + 1]?.gap !== 'dot';
}

/** Digits in the middle of a word are a part of an identifier, a hash or base64. */
export function isInWord(text: Text, { start, end }: Stretch): boolean {
  return isAsciiLetter(charAt(text, start - 1)) && isAsciiLetter(charAt(text, end));
}

/** Whether an ASCII letter touches it on either side. */
export function touchesLetter(text: Text, { start, end }: Stretch): boolean {
  return isAsciiLetter(charAt(text, start - 1)) || isAsciiLetter(charAt(text, end));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const UUID_LENGTH = 36;

/** Whether it is a part of a UUID, whose groups can be all digits. */
export function isInUuid(text: Text, { start, end }: Stretch): boolean {
  const from = Math.max(0, start - UUID_LENGTH);
  const around = text.slice(from, end + UUID_LENGTH);
  for (const { index } of around.matchAll(UUID)) {
    if (from + index < end && from + index + UUID_LENGTH > start) return true;
  }
  return false;
}
