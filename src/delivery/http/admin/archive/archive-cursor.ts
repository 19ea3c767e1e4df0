import type { RequestId } from '../../../../domain/kernel/ids';
import { placeOf, ULID } from '../cursor';

const REQUEST_ID = new RegExp(`^(req_${ULID})$`);

/** Null: this is no cursor of ours. */
export function requestIdOfCursor(cursor: string): RequestId | null {
  return placeOf(cursor, REQUEST_ID)?.[0] ?? null;
}
