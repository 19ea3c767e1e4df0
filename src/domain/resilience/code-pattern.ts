/** Whether a table's code means this code. A star at the end of the pattern stands for any ending. */
export function matchesCode(pattern: string, code: string): boolean {
  return pattern.endsWith('*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern;
}
