import { DRILL_USAGE, drillOptions } from '../../../src/delivery/cli/drill-options';
import { usd } from '../../../src/delivery/cli/drill-printer';
import { DRILL_NAMES } from '../../../src/usecase/drill/drill';

describe('the options of schneeai drill', () => {
  it('without any, rehearses everything as text', () => {
    expect(drillOptions([])).toEqual({ tenant: null, policy: null, drills: DRILL_NAMES, format: 'text' });
  });

  it('takes a tenant, a policy and one drill', () => {
    const options = drillOptions(['--tenant', 'acme', '--policy', 'main', '--only', 'store-lost', '--json']);

    expect(options).toEqual({ tenant: 'acme', policy: 'main', drills: ['store-lost'], format: 'json' });
  });

  it('names every drill in its usage, within 100 columns', () => {
    expect(DRILL_NAMES.filter((name) => !DRILL_USAGE.includes(name))).toEqual([]);
    expect(DRILL_USAGE.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });
});

describe('money in a drill', () => {
  it.each([
    [0, '0.000000'],
    [9, '0.000009'],
    [1_234_567, '1.234567'],
    [9_007_199_254_740_991, '9007199254.740991'],
  ])('%i micro-USD are %s USD', (micro, text) => {
    expect(usd(micro)).toBe(text);
  });
});
