import type { IdGenerator, IdPrefix } from '../../src/usecase/port/id-generator';

/** Ids that count from 1, padded to the length of real ones. */
export class SequentialIds implements IdGenerator {
  private last = 0;

  next(prefix: IdPrefix): string {
    this.last += 1;
    return `${prefix}_${String(this.last).padStart(26, '0')}`;
  }
}
