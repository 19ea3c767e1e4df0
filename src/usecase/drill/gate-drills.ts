import { RoutingPolicy } from '../../domain/routing/routing-policy';
import type { RehearsalStage, Setting } from '../port/rehearsal-stage';
import { priceRatio } from './barrier';
import { leftOut, rehearsed, type Rehearsal } from './drill';
import { ladderOf, type Rung } from './ladder';
import { playScene, WHOLE } from './scene';
import { atPrimary } from './script';

/** Six decimals are what a ceiling is read to. */
const CEILING_STEP = 0.000_001;
const JUST_BELOW = 0.99;

/** With the first fallback's provider excluded by contract and the primary down, that provider receives nothing. */
export async function excludedProvider(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const ladder = ladderOf(setting, WHOLE);
  const primary = ladder.find(({ failover }) => !failover);
  const elsewhere = fallbacksOf(ladder).find(({ route }) => route.provider !== primary?.route.provider);
  if (elsewhere === undefined) return leftOut('no other provider may be asked, so there is none to exclude');
  const { tenant } = setting;
  const exclusion = { provider: elsewhere.route.provider, model: null, note: 'drill', untilMs: null };
  const eligibility = { ...tenant.eligibility, exclusions: [...tenant.eligibility.exclusions, exclusion] };
  return underOutage({ ...setting, tenant: { ...tenant, eligibility } }, stage);
}

/** With the ceiling just below the price of the cheapest fallback and the primary down, none of them receives anything. */
export async function costCeiling(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const ladder = ladderOf(setting, WHOLE);
  const primary = ladder.find(({ role }) => role === 'primary');
  const ratios = fallbacksOf(ladder).flatMap(({ route }) => {
    const ratio = primary === undefined ? null : priceRatio(route, primary.route);
    return ratio === null || ratio === 0 ? [] : [ratio];
  });
  if (ratios.length === 0) return leftOut('there is no fallback whose price could be compared');
  const ceiling = Math.floor((Math.min(...ratios) * JUST_BELOW) / CEILING_STEP) * CEILING_STEP;
  if (ceiling < CEILING_STEP) return leftOut('its fallbacks cost next to nothing');
  return underOutage(withCeiling(setting, ceiling), stage);
}

/** Whatever else stands against them, they are not what this drill is about. */
function fallbacksOf(ladder: readonly Rung[]): readonly Rung[] {
  return ladder.filter(({ failover, barrier }) => failover && barrier === null);
}

async function underOutage(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const script = atPrimary(ladderOf(setting, WHOLE), { kind: 'is_down' });
  return rehearsed(await playScene(setting, stage, { ask: WHOLE, script }));
}

function withCeiling(setting: Setting, maxFallbackCostMultiplier: number): Setting {
  const data = setting.policy.policy.toData();
  const policy = {
    ...setting.policy,
    policy: RoutingPolicy.restore({ ...data, settings: { ...data.settings, maxFallbackCostMultiplier } }),
  };
  const policies = setting.policies.map((other) => (other.name === policy.name ? policy : other));
  return { ...setting, policy, policies };
}
