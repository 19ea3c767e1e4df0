/** What is archived of one interaction. Null: its tenant's term leaves it out, or there was none. */
export type ArchivedInteraction = Readonly<{
  request: ArchivedText | null;
  answer: ArchivedAnswer | null;
}>;

/** Text, of which the end is missing where it has fewer characters than it had. */
export type ArchivedText = Readonly<{
  text: string;
  /** Of the whole, in UTF-16 units. */
  characters: number;
}>;

/** A response as it was written for its caller: a body, or the events of a stream as far as it went. */
export type ArchivedAnswer = ArchivedText & Readonly<{ status: number }>;

/** UTF-16 units that are kept of a text: more than the largest context window holds, and a row that a store takes at once. */
export const MAX_ARCHIVED_CHARACTERS = 1_048_576;

/** The text as far as it is kept; `characters` of the whole, if this is not the whole already. */
export function archivedText(text: string, characters = text.length): ArchivedText {
  if (text.length <= MAX_ARCHIVED_CHARACTERS) return { text, characters };
  return { text: text.slice(0, wholeCharactersEnd(text)), characters };
}

export function isTruncated({ text, characters }: ArchivedText): boolean {
  return text.length < characters;
}

/** Half a surrogate pair is no text: no encoding could store it. */
function wholeCharactersEnd(text: string): number {
  const last = text.charCodeAt(MAX_ARCHIVED_CHARACTERS - 1);
  const opensPair = last >= 0xd800 && last <= 0xdbff;
  return opensPair ? MAX_ARCHIVED_CHARACTERS - 1 : MAX_ARCHIVED_CHARACTERS;
}
