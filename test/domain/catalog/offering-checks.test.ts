import { buildCatalog } from '../../../src/domain/catalog/catalog';
import { mergeResults } from '../../../src/domain/catalog/offering-checks';
import type { CheckName, CheckResult, CheckVerdict } from '../../../src/domain/catalog/offering-checks';
import { sampleEntries } from '../../support/sample-catalog';

const result = (check: CheckName, verdict: CheckVerdict, atMs: number): CheckResult => ({
  check,
  verdict,
  atMs,
  status: 200,
  code: null,
});

describe('results of checks', () => {
  it.each<[string, CheckVerdict | null, CheckVerdict | null, string]>([
    ['a later pass over a failure', 'failed', 'passed', 'passed@2'],
    ['a later failure over a pass', 'passed', 'failed', 'failed@2'],
    ['an earlier failure over weather', 'failed', 'inconclusive', 'failed@1'],
    ['an earlier pass over weather', 'passed', 'inconclusive', 'passed@1'],
    ['weather where nothing else is known', null, 'inconclusive', 'inconclusive@2'],
    ['what was not asked this time', 'failed', null, 'failed@1'],
    ['nothing where nothing was asked', null, null, ''],
  ])('keep %s', (_name, before, now, expected) => {
    const earlier = before === null ? [] : [result('tools', before, 1)];
    const later = now === null ? [] : [result('tools', now, 2)];

    const merged = mergeResults(earlier, later);

    expect(merged.map(({ verdict, atMs }) => `${verdict}@${atMs}`).join()).toBe(expected);
  });

  it('stand in the order of the checks', () => {
    const merged = mergeResults([result('errors', 'passed', 1)], [result('answer', 'passed', 2)]);

    expect(merged.map(({ check }) => check)).toEqual(['answer', 'errors']);
  });
});

describe('checks in the catalog', () => {
  const subject = { channel: 'ch-oa-1', baseUrl: 'http://127.0.0.1:1/v1', upstreamName: 'gpt-s' };
  const failed = result('tools', 'failed', 1);
  const catalogWith = (changed: Partial<typeof subject>) =>
    buildCatalog({
      ...sampleEntries(),
      checks: [
        {
          offering: 'oa-1',
          subject: { ...subject, ...changed },
          results: [failed, result('usage', 'passed', 1), result('limits', 'inconclusive', 1)],
        },
      ],
    });

  it('put what failed on the route of the offering, and on no other', () => {
    const [checked, other] = catalogWith({}).routes.get('gpt-s') ?? [];

    expect(checked?.failedChecks).toEqual([failed]);
    expect(other?.failedChecks).toBeUndefined();
  });

  it.each([
    ['another channel', { channel: 'ch-oa-2' }],
    ['another URL', { baseUrl: 'http://127.0.0.1:2/v1' }],
    ['another upstream name', { upstreamName: 'gpt-l' }],
  ])('say nothing any more after %s', (_name, changed) => {
    const catalog = catalogWith(changed);

    expect(catalog.checks.size).toBe(0);
    expect(catalog.routes.get('gpt-s')?.[0]?.failedChecks).toBeUndefined();
  });
});
