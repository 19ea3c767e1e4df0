const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

/** The three forms that a recipient must accept (RFC 9110 §5.6.7): IMF-fixdate, RFC 850, asctime. */
const FORMS: readonly RegExp[] = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

const MS_PER_DAY = 86_400_000;
const DAYS_PER_YEAR = 365.2425;

/** Milliseconds since the epoch; null: not an HTTP date, or a day or time that doesn't exist. */
export function parseHttpDate(text: string, nowMs: number): number | null {
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const month = MONTHS.indexOf(groups.month ?? '') + 1;
  const day = Number(groups.day);
  const year = fullYear(groups.year ?? '', nowMs);
  const [hour, minute, second] = [Number(groups.hour), Number(groups.minute), Number(groups.second)];
  if (month === 0 || day < 1 || day > daysIn(month, year)) return null;
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return null;
  return daysSinceEpoch(year, month, day) * MS_PER_DAY + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** RFC 9110: two digits that would lie more than 50 years ahead mean the century before. */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = 1970 + Math.floor(nowMs / MS_PER_DAY / DAYS_PER_YEAR);
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysIn(month: number, year: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days of the Gregorian calendar between 1970-01-01 and a date; the year begins in March, so that a leap day ends it. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const daysOfYears =
    365 * marchYear + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return daysOfYears + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1 - 719_468;
}
