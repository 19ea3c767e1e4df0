import type { RequestId } from '../../../../domain/kernel/ids';
import { placeOf } from '../cursor';

const REQUEST_ID = /^(req_[0-9A-HJKMNP-TV-Z]{26})$/;

/** Null: this is no cursor of ours. */
export function requestIdOfCursor(cursor: string): RequestId | null {
  return placeOf(cursor, REQUEST_ID)?.[0] ?? null;
}
