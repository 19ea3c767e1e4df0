import {
  retentionMsOf,
  termInForce,
  termProblems,
  type ArchiveTerm,
} from '../../../src/domain/archive/archive-term';

const NOW = 1_000_000;
const DAY_MS = 86_400_000;
const TERM: ArchiveTerm = { untilMs: NOW + DAY_MS, retentionHours: 24, include: ['request'] };

describe('a term of the archive', () => {
  it.each<[name: string, term: Partial<ArchiveTerm>, fields: readonly string[]]>([
    ['lasts a millisecond', { untilMs: NOW + 1 }, []],
    ['ends at once', { untilMs: NOW }, ['until']],
    ['lasts seven days', { untilMs: NOW + 7 * DAY_MS }, []],
    ['lasts a millisecond more', { untilMs: NOW + 7 * DAY_MS + 1 }, ['until']],
    ['keeps for an hour', { retentionHours: 1 }, []],
    ['keeps for no time', { retentionHours: 0 }, ['retention_hours']],
    ['keeps for half an hour', { retentionHours: 0.5 }, ['retention_hours']],
    ['keeps for 72 hours', { retentionHours: 72 }, []],
    ['keeps for 73 hours', { retentionHours: 73 }, ['retention_hours']],
    ['keeps nothing', { include: [] }, ['include']],
    [
      'is wrong all over',
      { untilMs: 0, retentionHours: -1, include: [] },
      ['until', 'retention_hours', 'include'],
    ],
  ])('that %s', (_name, term, fields) => {
    expect(termProblems({ ...TERM, ...term }, NOW).map(({ field }) => field)).toEqual(fields);
  });

  it('is in force until its last millisecond', () => {
    expect(termInForce({ archive: TERM }, TERM.untilMs - 1)).toBe(TERM);
    expect(termInForce({ archive: TERM }, TERM.untilMs)).toBeNull();
    expect(termInForce({}, 0)).toBeNull();
  });

  it('keeps for hours', () => {
    expect(retentionMsOf({ ...TERM, retentionHours: 2 })).toBe(7_200_000);
  });
});
