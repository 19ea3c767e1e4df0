import { CODE_TABLE } from '../../../src/domain/resilience/code-table';
import { NETWORK_TABLE } from '../../../src/domain/resilience/network-table';
import { SENTENCE_TABLE } from '../../../src/domain/resilience/sentence-table';
import { STATUS_TABLE } from '../../../src/domain/resilience/status-table';
import { CODE_ROWS } from './code-rows';
import { NETWORK_ROWS, STATUS_ROWS } from './signal-rows';

/** An expectation that quotes a code or a sentence, in any spelling of its provider. */
const EXPECTED = CODE_ROWS.map(([, , body, , code]) => `${JSON.stringify(body)} ${code}`.toLowerCase());

const withoutStar = (pattern: string): string => pattern.replace(/\*$/, '');
const isQuoted = (text: string): boolean =>
  EXPECTED.some((body) => body.includes(withoutStar(text).toLowerCase()));

/** A row that nobody wrote an expectation for could say anything. */
describe('the signal tables have an expected value written down for', () => {
  it('every code', () => {
    const codes = CODE_TABLE.flatMap((row) => row.codes);

    expect(codes.filter((code) => !isQuoted(code))).toEqual([]);
  });

  it('every sentence', () => {
    const sentences = SENTENCE_TABLE.map(({ begins }) => begins);

    expect(sentences.filter((begins) => !isQuoted(JSON.stringify(begins).slice(1, -1)))).toEqual([]);
  });

  it('every network code', () => {
    const expected = NETWORK_ROWS.map(([code]) => code);
    const codes = NETWORK_TABLE.flatMap((row) => row.codes);

    expect(codes.filter((code) => !expected.some((known) => known.startsWith(withoutStar(code))))).toEqual(
      [],
    );
  });

  it('every status', () => {
    const expected: readonly number[] = STATUS_ROWS.map(([status]) => status);
    const statuses = STATUS_TABLE.flatMap((row) => row.statuses);

    expect(statuses.filter((status) => !expected.includes(status))).toEqual([]);
  });
});
