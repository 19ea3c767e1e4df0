import { affordable } from '../../../src/usecase/drill/barrier';
import { ladderOf } from '../../../src/usecase/drill/ladder';
import {
  CLAUDE,
  DRILL_ENTRIES,
  drillSetting,
  ELSEWHERE,
  LARGE,
  SMALL,
  type DrillWorld,
} from '../../support/drill-setting';
import { aPrice, aRoute } from '../../support/sample-catalog';

const WHOLE = { stream: false, tools: false };

function rungs(world: DrillWorld): readonly string[] {
  return ladderOf(drillSetting(world), WHOLE).map(
    ({ route, role, barrier }) => `${route.id} ${role}${barrier === null ? '' : ` ${barrier}`}`,
  );
}

const inGroups = (groups: Readonly<Record<string, string>>): DrillWorld['entries'] => ({
  ...DRILL_ENTRIES,
  channels: DRILL_ENTRIES.channels.map((channel) => ({
    ...channel,
    group: groups[channel.id] ?? channel.group,
  })),
});

const excluding = (provider: string, untilMs: number | null = null): DrillWorld['tenant'] => ({
  eligibility: {
    allowedRegions: null,
    exclusions: [{ provider, model: null, note: 'contract', untilMs }],
    allowList: null,
  },
});

describe('the ladder of a policy', () => {
  it.each<[row: string, world: DrillWorld, rungs: string[]]>([
    ['both channels of the primary', {}, ['first-s primary', 'second-s channel_fallback']],
    [
      'then the fallbacks as listed',
      { policy: { fallbacks: [CLAUDE, ELSEWHERE] } },
      ['first-s primary', 'second-s channel_fallback', 'claude model_fallback', 'europe-s channel_fallback'],
    ],
    [
      'the cheapest fallback first',
      { policy: { fallbacks: [CLAUDE, ELSEWHERE], strategy: 'cost' } },
      ['first-s primary', 'second-s channel_fallback', 'europe-s channel_fallback', 'claude model_fallback'],
    ],
    [
      'where none is named first, the strategy chooses the primary',
      { policy: { primary: null, fallbacks: [CLAUDE, ELSEWHERE], strategy: 'cost' } },
      ['europe-s primary', 'claude model_fallback'],
    ],
    [
      'without the feature no failover',
      { policy: { fallbacks: [CLAUDE] }, tenant: { features: { failover: false } } },
      ['first-s primary', 'second-s channel_fallback', 'claude model_fallback not_opted_in'],
    ],
    [
      'ten times the price under a ceiling of five',
      { policy: { fallbacks: [LARGE] } },
      ['first-s primary', 'second-s channel_fallback', 'first-l model_fallback cost'],
    ],
    [
      'an excluded provider',
      { policy: { fallbacks: [CLAUDE] }, tenant: excluding('anthropic') },
      ['first-s primary', 'second-s channel_fallback', 'claude model_fallback excluded'],
    ],
    [
      'an exclusion that has ended',
      { policy: { fallbacks: [CLAUDE] }, tenant: excluding('anthropic', 1_000_000) },
      ['first-s primary', 'second-s channel_fallback', 'claude model_fallback'],
    ],
    [
      'Europe only',
      {
        policy: { fallbacks: [ELSEWHERE] },
        tenant: { eligibility: { allowedRegions: ['eu-*'], exclusions: [], allowList: null } },
      },
      ['first-s primary residency', 'second-s channel_fallback residency', 'europe-s channel_fallback'],
    ],
    [
      "only the tenant's groups, in its order",
      {
        tenant: {
          groups: [
            { name: 'vip', rpm: 1 },
            { name: 'default', rpm: null },
          ],
        },
        entries: inGroups({ second: 'vip', europe: 'other' }),
        policy: { fallbacks: [ELSEWHERE] },
      },
      ['second-s primary', 'first-s channel_fallback', 'europe-s channel_fallback excluded'],
    ],
    [
      'an allow list',
      {
        policy: { fallbacks: [CLAUDE] },
        tenant: { eligibility: { allowedRegions: null, exclusions: [], allowList: [SMALL] } },
      },
      ['first-s primary', 'second-s channel_fallback', 'claude model_fallback excluded'],
    ],
    [
      'a channel that is switched off leaves its place to the next one',
      {
        entries: {
          channels: DRILL_ENTRIES.channels.map((channel) => ({
            ...channel,
            enabled: channel.id !== 'first',
          })),
        },
      },
      ['first-s channel_fallback disabled', 'second-s primary'],
    ],
  ])('%s', (_, world, expected) => {
    expect(rungs(world)).toEqual(expected);
  });

  it('knows what a route can’t do', () => {
    const offerings = DRILL_ENTRIES.offerings.map((offering) => ({
      ...offering,
      contract: { tools: false },
    }));
    const setting = drillSetting({ entries: { offerings } });

    const barriers = ladderOf(setting, { stream: false, tools: true }).map(({ barrier }) => barrier);

    expect(barriers).toEqual(['contract', 'contract']);
  });
});

describe('the ceiling', () => {
  const base = aRoute({ price: aPrice(100, 100) });

  it.each([
    ['exactly at it', aPrice(115, 100), 1.15, true],
    ['one above it', aPrice(116, 100), 1.15, false],
    ['only the output above it', aPrice(1, 116), 1.15, false],
    ['no known price', null, 1_000, false],
  ])('%s', (_, price, ceiling, expected) => {
    expect(affordable({ route: aRoute({ price }), failover: true }, base, ceiling)).toBe(expected);
  });
});
