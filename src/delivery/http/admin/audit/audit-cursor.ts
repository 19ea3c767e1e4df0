import type { RequestId } from '../../../../domain/kernel/ids';

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Where the next page begins. Opaque, so that callers don't build cursors of their own; it opens nothing that its filter doesn't. */
export function cursorOf(last: RequestId): string {
  return Buffer.from(last, 'utf8').toString('base64url');
}

/** Null: this is no cursor of ours. */
export function requestIdOfCursor(cursor: string): RequestId | null {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return REQUEST_ID.test(id) && cursorOf(id) === cursor ? id : null;
}
