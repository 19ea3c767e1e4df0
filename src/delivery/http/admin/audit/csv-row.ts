export type CsvCell = string | number | boolean | null;

/** What a spreadsheet takes for the beginning of a formula, in full width as well; blanks before it don't stop it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One line by RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front, since callers and
 * providers choose parts of it; numbers are ours and stay numbers.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
