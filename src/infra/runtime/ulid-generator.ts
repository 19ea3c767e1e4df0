import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { IdGenerator, IdPrefix } from '../../usecase/port/id-generator';

/** Monotonic, so that ids of the same millisecond sort in the order in which they were made. */
export class UlidGenerator implements IdGenerator {
  private readonly ulid = monotonicFactory(randomBytesInBulk());

  next(prefix: IdPrefix): string {
    return `${prefix}_${this.ulid()}`;
  }
}

const POOL_BYTES = 4_096;
const BYTE_VALUES = 256;

/** The library asks for sixteen numbers an id, and would fetch each by itself. */
function randomBytesInBulk(): () => number {
  const pool = new Uint8Array(POOL_BYTES);
  let next = POOL_BYTES;
  return () => {
    if (next === POOL_BYTES) {
      randomFillSync(pool);
      next = 0;
    }
    const byte = pool[next] ?? 0;
    next += 1;
    return byte / BYTE_VALUES;
  };
}
