/** How a time in milliseconds is written in a place: one way only. */
export const MOMENT = String.raw`(0|[1-9]\d{0,14})`;
/** What follows the prefix of an id. */
export const ULID = '[0-9A-HJKMNP-TV-Z]{26}';

/** Where the next page of a list begins. Opaque, so that callers don't build cursors of their own; it opens nothing that the list's filter doesn't. */
export function cursorOf(...place: readonly (string | number)[]): string {
  return Buffer.from(place.join(' '), 'utf8').toString('base64url');
}

/** The groups of `pattern` in the place that a cursor names. Null: this is no cursor of ours. */
export function placeOf(cursor: string, pattern: RegExp): readonly string[] | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = pattern.exec(text);
  // Decoding forgives what no encoding gives.
  return match !== null && cursorOf(text) === cursor ? match.slice(1) : null;
}
