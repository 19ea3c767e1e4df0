import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FALLBACK_REASONS } from '../../../../src/domain/interaction/fallback-reason';
import { FAULT_CLASSES } from '../../../../src/domain/resilience/fault';
import { REFUSAL_REASONS } from '../../../../src/domain/routing/refusal';
import { ERROR_STATUS } from '../../../../src/delivery/http/error/error-status';

const text = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');

/** The first table under a heading: its cells, without the header. */
function tableUnder(heading: string): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1] ?? '';
  const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section) ?? [];
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );
}

const names = (heading: string): string[] => tableUnder(heading).map(([name = '']) => name);

describe('docs/errors.md', () => {
  it('lists every code with its status and type, and no other', () => {
    const rows = tableUnder('Codes').map(([code, status, type]) => [code, status, type]);
    const expected = Object.entries(ERROR_STATUS).map(([code, row]) =>
      row === 'as_returned'
        ? [code, "the provider's", "the provider's"]
        : [code, String(row.status), row.type],
    );

    expect(rows).toEqual(expected);
  });

  it.each([
    ['Refusal reasons', REFUSAL_REASONS],
    ['Fallback reasons', FALLBACK_REASONS],
    ['Fault classes', FAULT_CLASSES],
  ])('lists the %s, and no other', (heading, union) => {
    expect(names(heading)).toEqual([...union]);
  });
});
