import * as fc from 'fast-check';
import type { CatalogEntries } from '../../../src/domain/catalog/catalog';
import { needsOf } from '../../../src/domain/catalog/contract';
import type { Offering } from '../../../src/domain/catalog/offering';
import type { ChatRequest } from '../../../src/domain/chat/chat-request';
import type { SupposedHealth } from '../../../src/domain/health/supposed-health';
import type { JsonObject } from '../../../src/domain/kernel/json';
import { FAILOVER_CAUSES } from '../../../src/domain/routing/policy-settings';
import type { SettingsInput } from '../../../src/domain/routing/policy-settings';
import type { RoutingPolicyInput } from '../../../src/domain/routing/routing-policy';
import { STRATEGY_NAMES, type StrategyName } from '../../../src/domain/routing/strategy-name';
import type { Eligibility } from '../../../src/domain/tenant/eligibility';
import type { Tenant } from '../../../src/domain/tenant/tenant';
import { aPrice, sampleEntries } from '../../support/sample-catalog';
import { AZURE, CLAUDE, GPT, MISTRAL } from '../../support/sample-plan';

/** A policy, a tenant's rules, the health of every route, and a request, all drawn at random. */
export type Drawn = Readonly<{
  entries: CatalogEntries;
  policy: RoutingPolicyInput;
  /** The request is one that the policy's canary draws. */
  canary: boolean;
  failover: boolean;
  eligibility: Eligibility;
  keyGroups: readonly string[];
  groupStrategy: StrategyName | null;
  groups: Tenant['groups'];
  /** Groups that another request has just been admitted to. */
  busyGroups: readonly string[];
  health: ReadonlyMap<string, SupposedHealth>;
  request: ChatRequest;
}>;

const TARGETS = [GPT, AZURE, CLAUDE, MISTRAL];

const price = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 15,
    arbitrary: fc.tuple(fc.constantFrom(50, 100, 100, 900), fc.constantFrom(150, 400, 400, 3_000)),
  },
);

const offering = (plain: Offering): fc.Arbitrary<Offering> =>
  fc
    .record({
      price,
      enabled: seldom(false),
      tools: seldom(false),
      contextTokens: fc.constantFrom(null, 20, 5_000),
    })
    .map(({ price: drawn, enabled, tools, contextTokens }) => ({
      ...plain,
      price: drawn === null ? null : aPrice(...drawn),
      enabled,
      contract: { tools, contextTokens, maxOutputTokens: 1_000 },
    }));

function seldom(value: boolean): fc.Arbitrary<boolean> {
  return fc.nat({ max: 9 }).map((chance) => (chance === 0 ? value : !value));
}

const entries: fc.Arbitrary<CatalogEntries> = fc
  .tuple(...sampleEntries().offerings.map(offering))
  .map((offerings) => ({ ...sampleEntries(), offerings }));

const settings: fc.Arbitrary<SettingsInput> = fc.record({
  maxFallbackCostMultiplier: fc.constantFrom(1, 5, 5, 1_000),
  failoverOn: fc.oneof(
    { weight: 2, arbitrary: fc.constant([...FAILOVER_CAUSES]) },
    { weight: 1, arbitrary: fc.subarray([...FAILOVER_CAUSES]) },
  ),
  retry: fc.record({
    maxRetries: fc.integer({ min: 2, max: 5 }),
    maxRetriesBeforeFallback: fc.integer({ min: 0, max: 2 }),
    baseDelayMs: fc.constantFrom(100, 1_000, 20_000),
    jitter: fc.constantFrom(0, 0.25, 1),
  }),
  maxHops: fc.integer({ min: 1, max: 3 }),
  timeouts: fc.record({
    headersMs: fc.constantFrom(5_000, 60_000, 240_000),
    idleMs: fc.constantFrom(5_000, 120_000),
    deadlineMs: fc.constantFrom(60_000, 300_000),
  }),
});

const policy: fc.Arbitrary<RoutingPolicyInput> = fc
  .record({
    match: fc.constantFrom(['*'], ['*'], ['gpt-s'], ['auto', 'gpt-*']),
    order: fc.shuffledSubarray(TARGETS, { minLength: 1 }),
    fixed: seldom(false),
    strategy: fc.constantFrom('priority', 'cost', 'latency'),
    canary: fc.option(fc.record({ target: fc.constantFrom(...TARGETS), percent: fc.constantFrom(0, 100) })),
    settings,
  })
  .map(({ match, order: [first = GPT, ...others], fixed, strategy, canary, settings: drawn }) => ({
    match,
    primary: fixed ? first : null,
    fallbacks: fixed ? others : [first, ...others],
    strategy,
    canary: canary !== null && canary.target === first ? null : canary,
    settings: drawn,
  }));

const eligibility: fc.Arbitrary<Eligibility> = fc.record({
  allowedRegions: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.subarray(['us', 'eu-*', 'jp']) },
  ),
  exclusions: fc.array(
    fc
      .constantFrom(...TARGETS)
      .map(({ provider }) => ({ provider, model: null, note: 'contract 12', untilMs: null })),
    { maxLength: 1, size: '-1' },
  ),
  allowList: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.subarray(TARGETS.map(({ provider }) => ({ provider, model: null }))) },
  ),
});

const supposition: fc.Arbitrary<SupposedHealth | null> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant<SupposedHealth>({ kind: 'healthy' }) },
  { weight: 2, arbitrary: fc.constant<SupposedHealth>({ kind: 'open' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(500, 7_000, 400_000)
      .map((forMs): SupposedHealth => ({ kind: 'throttled', forMs })),
  },
);

const health = fc
  .tuple(...sampleEntries().offerings.map(({ id }) => supposition.map((supposed) => [id, supposed] as const)))
  .map(
    (drawn) =>
      new Map(drawn.flatMap(([id, supposed]) => (supposed === null ? [] : [[id, supposed] as const]))),
  );

const groups: fc.Arbitrary<Tenant['groups']> = fc.constantFrom(
  null,
  null,
  [{ name: 'standard', rpm: 1 }],
  [
    { name: 'premium', rpm: 1 },
    { name: 'standard', rpm: null },
  ],
  [
    { name: 'standard', rpm: 1 },
    { name: 'premium', rpm: 1 },
  ],
);

const request: fc.Arbitrary<ChatRequest> = fc
  .record({
    model: fc.constantFrom('gpt-s', 'gpt-s', 'small', 'claude-s'),
    tools: seldom(true),
    words: fc.constantFrom(1, 60),
  })
  .map(({ model, tools, words }) => {
    const body: JsonObject = {
      model,
      messages: [{ role: 'user', content: 'word '.repeat(words) }],
      ...(tools ? { tools: [{ type: 'function', function: { name: 'look_up' } }] } : {}),
    };
    return { model, stream: false, includeUsage: false, body, needs: needsOf(body) };
  });

export const anyQuestion: fc.Arbitrary<Drawn> = fc
  .record({
    entries,
    policy,
    failover: seldom(false),
    eligibility,
    keyGroups: fc.constantFrom([], [], ['standard'], ['premium', 'standard']),
    groupStrategy: fc.constantFrom(null, null, ...STRATEGY_NAMES),
    groups,
    busyGroups: fc.subarray(['standard', 'premium']),
    health,
    request,
  })
  .map((drawn) => ({ ...drawn, canary: drawn.policy.canary?.percent === 100 }));
