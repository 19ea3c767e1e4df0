import { placeOf, ULID } from '../cursor';

const CHANGE_ID = new RegExp(`^(chg_${ULID})$`);

/** Null: this is no cursor of ours. */
export function changeIdOfCursor(cursor: string): string | null {
  return placeOf(cursor, CHANGE_ID)?.[0] ?? null;
}
