import type { Random } from '../../usecase/port/random';

/** Spreads load; nothing secret comes from it. */
export class SystemRandom implements Random {
  unit(): number {
    return Math.random();
  }
}
