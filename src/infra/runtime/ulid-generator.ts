import { monotonicFactory } from 'ulid';
import type { IdGenerator, IdPrefix } from '../../usecase/port/id-generator';

/** Monotonic, so that ids of the same millisecond sort in the order in which they were made. */
export class UlidGenerator implements IdGenerator {
  private readonly ulid = monotonicFactory();

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.ulid()}`;
  }
}
