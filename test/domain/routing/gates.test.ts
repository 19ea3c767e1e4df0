import { ineligibility, permanentRefusal, refusalNow, refusalOf } from '../../../src/domain/routing/gates';
import type { Candidate, GateContext } from '../../../src/domain/routing/gates';
import type { PlannedRoute } from '../../../src/domain/routing/planned-route';
import { DEFAULT_SETTINGS } from '../../../src/domain/routing/policy-settings';
import { REFUSAL_REASONS } from '../../../src/domain/routing/refusal';
import { UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import {
  ABLE,
  aChannel,
  aPrice,
  aRoute,
  aTenant,
  conditions,
  PLAIN_NEEDS,
} from '../../support/sample-catalog';

const PRIMARY = aRoute({ id: 'oa', price: aPrice(100, 400) });
const FALLBACK = aRoute({
  id: 'an',
  provider: 'anthropic',
  model: 'claude-s',
  channel: aChannel({ id: 'ch-an', provider: 'anthropic', region: 'us', group: 'standard' }),
  price: aPrice(300, 1_500),
});
const CONTEXT: GateContext = {
  tenant: aTenant(),
  keyGroups: [],
  needs: PLAIN_NEEDS,
  pii: null,
  settings: DEFAULT_SETTINGS,
  primary: PRIMARY,
  failoverTargets: [{ provider: 'anthropic', model: 'claude-s' }],
  nowMs: 1_000_000,
};

const fallback = (given: Partial<typeof FALLBACK> = {}): Candidate => ({
  route: { ...FALLBACK, ...given },
  relation: 'model_fallback',
  failover: true,
});
const primary = (given: Partial<typeof PRIMARY> = {}): Candidate => ({
  route: { ...PRIMARY, ...given },
  relation: 'primary',
  failover: false,
});
const channelFallback = (given: Partial<typeof PRIMARY> = {}): Candidate => ({
  ...primary(given),
  relation: 'channel_fallback',
});

const excluding = aTenant({
  eligibility: {
    ...UNRESTRICTED,
    exclusions: [{ provider: 'anthropic', model: null, note: 'contract 7', untilMs: 2e6 }],
  },
});
const inEuropeOnly = aTenant({ eligibility: { ...UNRESTRICTED, allowedRegions: ['eu'] } });

describe('permanent refusal', () => {
  it('is none for a fallback that passes every gate', () => {
    expect(permanentRefusal(fallback(), CONTEXT)).toBeNull();
  });

  it.each<{ name: string; candidate: Candidate; context: Partial<GateContext>; detail: unknown }>([
    {
      name: 'a target that no policy lists',
      candidate: fallback(),
      context: { failoverTargets: [] },
      detail: { reason: 'not_opted_in', missing: 'policy' },
    },
    {
      name: 'a failover without the feature',
      candidate: fallback(),
      context: { tenant: aTenant({ features: { failover: false } }) },
      detail: { reason: 'not_opted_in', missing: 'tenant_feature' },
    },
    {
      name: 'a failover for no cause',
      candidate: fallback(),
      context: { settings: { ...DEFAULT_SETTINGS, failoverOn: [] } },
      detail: { reason: 'not_opted_in', missing: 'failover_on' },
    },
    {
      name: 'an excluded provider',
      candidate: fallback(),
      context: { tenant: excluding },
      detail: { reason: 'tenant_excluded', note: 'contract 7', untilMs: 2e6 },
    },
    {
      name: "a group that isn't the key's",
      candidate: fallback(),
      context: { keyGroups: ['premium'] },
      detail: {
        reason: 'tenant_excluded',
        note: 'the key may not use the channel group "standard"',
        untilMs: null,
      },
    },
    {
      name: "a group that isn't the tenant's, though the key names it",
      candidate: fallback(),
      context: { keyGroups: ['standard'], tenant: aTenant({ groups: [{ name: 'premium', rpm: null }] }) },
      detail: {
        reason: 'tenant_excluded',
        note: 'the tenant may not use the channel group "standard"',
        untilMs: null,
      },
    },
    {
      name: 'a region that is not allowed',
      candidate: fallback(),
      context: { tenant: inEuropeOnly },
      detail: { reason: 'data_residency', region: 'us', allowedRegions: ['eu'] },
    },
    {
      name: 'a contract that lacks what is needed',
      candidate: fallback({ contract: { ...ABLE, tools: false } }),
      context: { needs: { ...PLAIN_NEEDS, tools: true } },
      detail: { reason: 'contract_mismatch', param: 'tools', message: 'tools not supported' },
    },
    {
      name: 'a failed check of what is needed',
      candidate: fallback({
        failedChecks: [{ check: 'tools', verdict: 'failed', atMs: 0, status: 200, code: 'no_tool_call' }],
      }),
      context: { needs: { ...PLAIN_NEEDS, tools: true } },
      detail: {
        reason: 'contract_mismatch',
        param: 'tools',
        message: "the check 'tools' of this offering failed at 1970-01-01T00:00:00Z (no_tool_call)",
      },
    },
    {
      name: 'a price over the ceiling',
      candidate: fallback({ price: aPrice(501, 400) }),
      context: {},
      detail: {
        reason: 'cost_ceiling',
        primaryPrice: aPrice(100, 400),
        fallbackPrice: aPrice(501, 400),
        ratio: 5.01,
        ceiling: 5,
      },
    },
    {
      name: 'an unknown price',
      candidate: fallback({ price: null }),
      context: {},
      detail: { reason: 'cost_unknown', of: 'fallback' },
    },
    {
      name: 'an unknown price of the primary',
      candidate: fallback(),
      context: { primary: { ...PRIMARY, price: null } },
      detail: { reason: 'cost_unknown', of: 'primary' },
    },
    {
      name: 'a primary without any route',
      candidate: fallback(),
      context: { primary: null },
      detail: { reason: 'cost_unknown', of: 'primary' },
    },
    {
      name: 'a route that is switched off',
      candidate: fallback({ enabled: false }),
      context: {},
      detail: { reason: 'disabled' },
    },
    {
      name: 'a dearer channel of the same provider',
      candidate: channelFallback({ price: aPrice(100, 2_001) }),
      context: {},
      detail: {
        reason: 'cost_ceiling',
        primaryPrice: aPrice(100, 400),
        fallbackPrice: aPrice(100, 2_001),
        ratio: 5.0025,
        ceiling: 5,
      },
    },
    {
      name: 'an excluded primary',
      candidate: primary({ provider: 'anthropic' }),
      context: { tenant: excluding },
      detail: { reason: 'tenant_excluded', note: 'contract 7', untilMs: 2e6 },
    },
    {
      name: 'a primary without a price that a wallet had to pay',
      candidate: primary({ price: null }),
      context: { tenant: aTenant({ wallet: true }) },
      detail: { reason: 'cost_unknown', of: 'price' },
    },
    {
      name: 'a channel without a price that a wallet had to pay',
      candidate: channelFallback({ price: null }),
      context: { tenant: aTenant({ wallet: true }) },
      detail: { reason: 'cost_unknown', of: 'price' },
    },
    {
      name: 'a primary whose output nothing bounds, where a wallet had to pay it',
      candidate: primary({ contract: { ...ABLE, maxOutputTokens: null, contextTokens: null } }),
      context: { tenant: aTenant({ wallet: true }) },
      detail: { reason: 'cost_unknown', of: 'output_limit' },
    },
    {
      name: 'a primary that is switched off',
      candidate: primary({ enabled: false }),
      context: {},
      detail: { reason: 'disabled' },
    },
  ])('names $name', ({ candidate, context, detail }) => {
    expect(permanentRefusal(candidate, { ...CONTEXT, ...context })?.detail).toEqual(detail);
  });

  it.each<{ name: string; candidate: Candidate; context: Partial<GateContext> }>([
    {
      name: 'the primary without opt-in, price or feature',
      candidate: primary({ price: null }),
      context: { tenant: aTenant({ features: { failover: false } }), failoverTargets: [] },
    },
    {
      name: 'the primary of a tenant with a wallet',
      candidate: primary(),
      context: { tenant: aTenant({ wallet: true }), needs: { ...PLAIN_NEEDS, maxOutputTokens: 20 } },
    },
    {
      name: 'another channel of the same provider without opt-in',
      candidate: channelFallback(),
      context: { tenant: aTenant({ features: { failover: false } }), failoverTargets: [] },
    },
    {
      name: 'another channel of the same provider whose price nobody knows',
      candidate: channelFallback({ price: null }),
      context: {},
    },
    {
      name: 'another channel behind a primary whose price nobody knows',
      candidate: channelFallback(),
      context: { primary: { ...PRIMARY, price: null } },
    },
    {
      name: 'a fallback at exactly the ceiling',
      candidate: fallback({ price: aPrice(500, 2_000) }),
      context: {},
    },
    {
      name: "a channel of the key's group",
      candidate: fallback(),
      context: { keyGroups: ['premium', 'standard'] },
    },
    {
      name: 'a provider whose exclusion has ended',
      candidate: fallback(),
      context: { tenant: excluding, nowMs: 2e6 },
    },
  ])('admits $name', ({ candidate, context }) => {
    expect(permanentRefusal(candidate, { ...CONTEXT, ...context })).toBeNull();
  });

  it('names the route that it leaves out', () => {
    expect(permanentRefusal(fallback({ enabled: false }), CONTEXT)?.route).toEqual({
      id: 'an',
      provider: 'anthropic',
      channel: 'ch-an',
      model: 'claude-s',
    });
  });

  it('tells the first gate of the specified order that refuses', () => {
    const needy = { ...PLAIN_NEEDS, tools: true };
    const mute = { ...ABLE, tools: false };

    // Everything is wrong at first; each step mends what was told last.
    const outcast = aTenant({
      features: { failover: false },
      eligibility: { ...excluding.eligibility, allowedRegions: ['eu'] },
    });
    const wrong = fallback({ contract: mute, price: aPrice(9_999, 9_999), enabled: false });
    const context = { ...CONTEXT, tenant: outcast, needs: needy };
    const optedIn = { ...context, tenant: { ...outcast, features: { failover: true } } };
    const allowed = { ...optedIn, tenant: inEuropeOnly };
    const atHome = { ...allowed, tenant: aTenant() };
    const able = { ...atHome, needs: PLAIN_NEEDS };
    const cheap = fallback({ contract: mute, enabled: false });

    const told = [
      permanentRefusal(wrong, context),
      permanentRefusal(wrong, optedIn),
      permanentRefusal(wrong, allowed),
      permanentRefusal(wrong, atHome),
      permanentRefusal(wrong, able),
      permanentRefusal(cheap, able),
    ].map((refusal) => refusal?.detail.reason);

    expect(told).toEqual([
      'not_opted_in',
      'tenant_excluded',
      'data_residency',
      'contract_mismatch',
      'cost_ceiling',
      'disabled',
    ]);
    expect(told.map((reason) => REFUSAL_REASONS.indexOf(reason ?? 'not_opted_in'))).toEqual([
      0, 1, 2, 4, 5, 10,
    ]);
  });
});

describe('ineligibility', () => {
  it('compares with no primary and asks for no opt-in', () => {
    const context = { ...CONTEXT, primary: null, failoverTargets: [] };

    expect(ineligibility(fallback({ price: null }), context)).toBeNull();
    expect(ineligibility(fallback({ enabled: false }), context)?.detail).toEqual({ reason: 'disabled' });
    expect(ineligibility(fallback(), { ...context, tenant: inEuropeOnly })?.detail.reason).toBe(
      'data_residency',
    );
  });
});

describe('refusal at this moment', () => {
  const planned: PlannedRoute = { ...fallback(), refusal: null };

  it.each([
    { name: 'a closed circuit', condition: {}, detail: undefined },
    {
      name: 'an open circuit',
      condition: { circuit: { state: 'open', untilMs: 1_060_000, trialTaken: false } as const },
      detail: { reason: 'circuit_open', untilMs: 1_060_000 },
    },
    {
      name: 'an open circuit in which a last resort tries',
      condition: { circuit: { state: 'open', untilMs: 1_060_000, trialTaken: true } as const },
      detail: { reason: 'circuit_open', untilMs: 1_060_000 },
    },
    {
      name: 'a half-open circuit with a free slot',
      condition: { circuit: { state: 'half_open', trialTaken: false } as const },
      detail: undefined,
    },
    {
      name: 'a half-open circuit with the trial taken',
      condition: { circuit: { state: 'half_open', trialTaken: true } as const },
      detail: { reason: 'circuit_open', untilMs: null },
    },
    {
      name: 'a throttle that ends in a millisecond',
      condition: { throttledUntilMs: 1_000_001 },
      detail: { reason: 'throttled', untilMs: 1_000_001 },
    },
    { name: 'a throttle that ends now', condition: { throttledUntilMs: 1_000_000 }, detail: undefined },
    {
      name: 'both: the circuit first',
      condition: { circuit: { state: 'half_open', trialTaken: true } as const, throttledUntilMs: 2e6 },
      detail: { reason: 'circuit_open', untilMs: null },
    },
  ])('under $name', ({ condition, detail }) => {
    expect(refusalNow(planned, conditions({ an: condition }))?.detail).toEqual(detail);
  });

  it.each([
    { name: 'a full group', full: { standard: 1_000_250 }, retryAfterMs: 250 },
    { name: 'a group that is full for another millisecond', full: { standard: 1_000_001 }, retryAfterMs: 1 },
    { name: 'a group whose minute has just ended', full: { standard: 1_000_000 }, retryAfterMs: null },
    { name: 'another group that is full', full: { premium: 1_000_250 }, retryAfterMs: null },
  ])('under $name, before what health says', ({ full, retryAfterMs }) => {
    const circuit = { state: 'open', untilMs: 1_060_000, trialTaken: false } as const;
    const now = { ...conditions({ an: { circuit } }), fullGroups: new Map(Object.entries(full)) };

    expect(refusalNow(planned, now)?.detail).toEqual(
      retryAfterMs === null
        ? { reason: 'circuit_open', untilMs: 1_060_000 }
        : { reason: 'group_rpm', group: 'standard', retryAfterMs },
    );
  });

  it('is the switch of an operator who has used it meanwhile, before any wait', () => {
    const off = {
      ...conditions({ an: { throttledUntilMs: 2e6 } }),
      isEnabled: () => false,
      fullGroups: new Map([['standard', 2e6]]),
    };

    expect(refusalNow(planned, off)?.detail).toEqual({ reason: 'disabled' });
  });

  it('is the permanent one, whatever the health', () => {
    const refusal = refusalOf(FALLBACK, { reason: 'disabled' });
    const now = conditions({ an: { circuit: { state: 'open', untilMs: 1_060_000, trialTaken: false } } });

    expect(refusalNow({ ...planned, refusal }, now)).toBe(refusal);
  });
});
