/** Chance that comes out the same for the same seed (mulberry32), in whatever process it is drawn. */
export class Draws {
  constructor(private state: number) {}

  /** 0 ≤ draw < 1. */
  unit(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  happens(percent: number): boolean {
    return this.unit() * 100 < percent;
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!;
  }

  /** A name of the table; the numbers say how often each one comes, compared with the others. */
  weighted<Name extends string>(table: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(table) as Name[];
    let left = this.unit() * names.reduce((sum, name) => sum + table[name], 0);
    for (const name of names) {
      left -= table[name];
      if (left < 0) return name;
    }
    return names[names.length - 1]!;
  }
}
