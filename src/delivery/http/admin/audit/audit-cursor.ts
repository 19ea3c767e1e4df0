import type { RequestId } from '../../../../domain/kernel/ids';

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
const CHANGE_ID = /^chg_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Where the next page begins. Opaque, so that callers don't build cursors of their own; it opens nothing that its filter doesn't. */
export function cursorOf(last: string): string {
  return Buffer.from(last, 'utf8').toString('base64url');
}

/** Null: this is no cursor of ours. */
export function requestIdOfCursor(cursor: string): RequestId | null {
  return idOf(cursor, REQUEST_ID);
}

/** The same for a list of changes. */
export function changeIdOfCursor(cursor: string): string | null {
  return idOf(cursor, CHANGE_ID);
}

function idOf(cursor: string, pattern: RegExp): string | null {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return pattern.test(id) && cursorOf(id) === cursor ? id : null;
}
