const MS_PER_DAY = 86_400_000;
const DAYS_PER_ERA = 146_097;
const YEARS_PER_ERA = 400;
/** Days from 0000-03-01 to 1970-01-01 of the Gregorian calendar. */
const EPOCH_DAY = 719_468;

/** Milliseconds since the epoch as RFC 3339 to the second, e.g. `2026-11-30T08:15:00Z`; from year 0 to 9999. */
export function utcInstant(ms: number): string {
  const day = Math.floor(ms / MS_PER_DAY);
  const seconds = Math.floor((ms - day * MS_PER_DAY) / 1_000);
  const time = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${dateOf(day)}T${time.map((part) => digits(part, 2)).join(':')}Z`;
}

/** Years begin in March here, so that a leap day is the last of its year and months follow a line. */
function dateOf(daysSinceEpoch: number): string {
  const days = daysSinceEpoch + EPOCH_DAY;
  const era = Math.floor(days / DAYS_PER_ERA);
  const dayOfEra = days - era * DAYS_PER_ERA;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = era * YEARS_PER_ERA + yearOfEra + (month <= 2 ? 1 : 0);
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
