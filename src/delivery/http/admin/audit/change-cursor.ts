import { placeOf } from '../cursor';

const CHANGE_ID = /^(chg_[0-9A-HJKMNP-TV-Z]{26})$/;

/** Null: this is no cursor of ours. */
export function changeIdOfCursor(cursor: string): string | null {
  return placeOf(cursor, CHANGE_ID)?.[0] ?? null;
}
