/** One way to cut a stream: the offsets, ascending, each inside the bytes. */
export type Cutting = readonly number[];

/** A small generator (mulberry32): the same seed gives the same numbers, 0 up to but not including 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One cut, at every offset in turn. */
export function singleCuts(length: number): readonly Cutting[] {
  return Array.from({ length: length - 1 }, (_unused, index) => [index + 1]);
}

/** Every offset is cut once, `teeth` bytes apart from the next cut of the same run: all offsets in as many runs as teeth. */
export function combCuts(length: number, teeth: number): readonly Cutting[] {
  return Array.from({ length: Math.min(teeth, length - 1) }, (_unused, phase) => {
    const cuts: number[] = [];
    for (let offset = phase + 1; offset < length; offset += teeth) cuts.push(offset);
    return cuts;
  });
}

/** Between 1 and 16 cuts anywhere, so many times over. */
export function randomCuts(length: number, count: number, seed: number): readonly Cutting[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const offsets = Array.from(
      { length: 1 + Math.floor(random() * 16) },
      () => 1 + Math.floor(random() * (length - 1)),
    );
    return [...new Set(offsets)].sort((a, b) => a - b);
  });
}
