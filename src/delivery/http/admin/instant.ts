const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/;

/** Milliseconds since the epoch of an RFC 3339 time; null where the text is none, or names a day that doesn't exist. */
export function instantMs(text: string): number | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  // The engine rolls 30 February over to March, which nobody meant.
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const ms = day >= 1 && day <= daysInMonth ? Date.parse(text.toUpperCase()) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The same, or whole milliseconds since the epoch. */
export function instantOrEpochMs(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : instantMs(text);
}

export function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

export function rfc3339OrNull(ms: number | null): string | null {
  return ms === null ? null : rfc3339(ms);
}
