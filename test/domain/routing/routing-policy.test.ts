import { RoutingPolicy } from '../../../src/domain/routing/routing-policy';
import type { RoutingPolicyInput } from '../../../src/domain/routing/routing-policy';

const GPT = { provider: 'openai', model: 'gpt-s' };
const CLAUDE = { provider: 'anthropic', model: 'claude-s' };
const VALID: RoutingPolicyInput = { match: ['auto'], primary: GPT, fallbacks: [CLAUDE] };

function problemsOf(change: Partial<RoutingPolicyInput>): readonly { field: string; message: string }[] {
  const created = RoutingPolicy.create({ ...VALID, ...change });
  return created.ok ? [] : created.error;
}

describe('routing policy', () => {
  it('fills in the defaults of the specification', () => {
    const created = RoutingPolicy.create({ match: ['*'] });

    expect(created.ok && created.value.toData()).toEqual({
      match: ['*'],
      primary: null,
      fallbacks: [],
      strategy: 'priority',
      canary: null,
      settings: {
        maxFallbackCostMultiplier: 5,
        failoverOn: [
          'server_error',
          'timeout',
          'network',
          'rate_limited',
          'credential',
          'malformed',
          'circuit_open',
        ],
        retry: {
          maxRetries: 5,
          maxRetriesBeforeFallback: 1,
          baseDelayMs: 1000,
          maxDelayMs: 60000,
          jitter: 0.25,
        },
        maxHops: 3,
        timeouts: {
          headersMs: 240000,
          streamHeadersMs: 90000,
          streamGateMs: 30000,
          idleMs: 120000,
          deadlineMs: 300000,
          ttftFailoverMs: null,
        },
        commitOn: 'first_output',
        unsupportedParams: 'ignore',
        minAttemptMs: 1000,
        responseModel: 'annotated',
      },
    });
  });

  it('takes what is given, and an undefined as left out', () => {
    const created = RoutingPolicy.create({
      ...VALID,
      strategy: 'cost',
      canary: { target: { provider: 'mistral', model: 'mistral-s' }, percent: 5 },
      settings: {
        maxHops: 2,
        retry: { maxRetries: 0, jitter: undefined },
        timeouts: { ttftFailoverMs: 900 },
      },
    });
    const policy = created.ok ? created.value : null;

    expect(policy?.strategy).toBe('cost');
    expect(policy?.primary).toEqual(GPT);
    expect(policy?.fallbacks).toEqual([CLAUDE]);
    expect(policy?.match).toEqual(['auto']);
    expect(policy?.canary).toEqual({
      target: { provider: 'mistral', model: 'mistral-s' },
      percent: 5,
      stickyBy: 'request',
      rollbackOn: { errorRate: 0.2, minRequests: 20 },
    });
    expect(policy?.settings).toMatchObject({
      maxHops: 2,
      retry: { maxRetries: 0, jitter: 0.25 },
      timeouts: { ttftFailoverMs: 900, deadlineMs: 300_000 },
    });
  });

  it('comes back from its data unchanged', () => {
    const created = RoutingPolicy.create(VALID);
    const data = created.ok ? created.value.toData() : null;

    expect(data).not.toBeNull();
    expect(data && RoutingPolicy.restore(data).toData()).toEqual(data);
  });

  const within = (settings: RoutingPolicyInput['settings']): Partial<RoutingPolicyInput> => ({ settings });
  it.each<{
    field: string;
    good: readonly number[];
    bad: readonly number[];
    set: (value: number) => RoutingPolicyInput['settings'];
  }>([
    {
      field: 'max_fallback_cost_multiplier',
      good: [0.000_001, 1.15, 1_000_000],
      bad: [0, -1, NaN, Infinity, 1_000_001],
      set: (maxFallbackCostMultiplier) => ({ maxFallbackCostMultiplier }),
    },
    {
      field: 'retry.max_retries',
      good: [0, 7],
      bad: [-1, 8, 1.5, NaN],
      set: (maxRetries) => ({ retry: { maxRetries } }),
    },
    {
      field: 'retry.max_retries_before_fallback',
      good: [0, 7],
      bad: [-1, 8, 0.5],
      set: (maxRetriesBeforeFallback) => ({ retry: { maxRetriesBeforeFallback } }),
    },
    {
      field: 'retry.base_delay_ms',
      good: [1, 60_000],
      bad: [0, -1, 0.5, 3_600_001],
      set: (baseDelayMs) => ({ retry: { baseDelayMs, maxDelayMs: 3_600_000 } }),
    },
    {
      field: 'retry.max_delay_ms',
      good: [1, 3_600_000],
      bad: [0, 3_600_001],
      set: (maxDelayMs) => ({ retry: { baseDelayMs: Math.max(1, Math.min(1, maxDelayMs)), maxDelayMs } }),
    },
    {
      field: 'retry.jitter',
      good: [0, 0.25, 1],
      bad: [-0.01, 1.01, NaN],
      set: (jitter) => ({ retry: { jitter } }),
    },
    { field: 'max_hops', good: [1, 3], bad: [0, 4, 2.5], set: (maxHops) => ({ maxHops }) },
    {
      field: 'timeouts.headers_ms',
      good: [1, 3_600_000],
      bad: [0, 3_600_001, Infinity],
      set: (headersMs) => ({ timeouts: { headersMs } }),
    },
    {
      field: 'timeouts.stream_headers_ms',
      good: [1, 3_600_000],
      bad: [0, 3_600_001],
      set: (streamHeadersMs) => ({ timeouts: { streamHeadersMs } }),
    },
    {
      field: 'timeouts.stream_gate_ms',
      good: [1, 3_600_000],
      bad: [0, 3_600_001],
      set: (streamGateMs) => ({ timeouts: { streamGateMs } }),
    },
    {
      field: 'timeouts.idle_ms',
      good: [1, 3_600_000],
      bad: [0, 3_600_001],
      set: (idleMs) => ({ timeouts: { idleMs } }),
    },
    {
      field: 'timeouts.deadline_ms',
      good: [1_000, 3_600_000],
      bad: [999, 3_600_001],
      set: (deadlineMs) => ({ timeouts: { deadlineMs } }),
    },
    {
      field: 'timeouts.ttft_failover_ms',
      good: [1, 3_600_000],
      bad: [0, 3_600_001],
      set: (ttftFailoverMs) => ({ timeouts: { ttftFailoverMs } }),
    },
    {
      field: 'min_attempt_ms',
      good: [1, 300_000],
      bad: [0, -5, 1.5],
      set: (minAttemptMs) => ({ minAttemptMs }),
    },
  ])('bounds $field', ({ field, good, bad, set }) => {
    expect(good.flatMap((value) => problemsOf(within(set(value))))).toEqual([]);
    expect(bad.map((value) => problemsOf(within(set(value)))[0]?.field)).toEqual(bad.map(() => field));
  });

  it.each<{ name: string; change: Partial<RoutingPolicyInput>; field: string; message: string }>([
    {
      name: 'a number out of range',
      change: { settings: { maxHops: 4 } },
      field: 'max_hops',
      message: 'must be a whole number from 1 to 3, not 4',
    },
    {
      name: 'a share out of range',
      change: { settings: { retry: { jitter: 2 } } },
      field: 'retry.jitter',
      message: 'must be a number from 0 to 1, not 2',
    },
    {
      name: 'a base delay over the cap',
      change: { settings: { retry: { baseDelayMs: 501, maxDelayMs: 500 } } },
      field: 'retry.base_delay_ms',
      message: 'must not be more than retry.max_delay_ms: 501 is more than 500',
    },
    {
      name: 'a deadline without room for an attempt',
      change: { settings: { minAttemptMs: 2_000, timeouts: { deadlineMs: 1_999 } } },
      field: 'timeouts.deadline_ms',
      message: 'leaves no time for an attempt: 1999 is less than min_attempt_ms, 2000',
    },
    {
      name: 'a cause named twice',
      change: { settings: { failoverOn: ['timeout', 'network', 'timeout'] } },
      field: 'failover_on[2]',
      message: 'repeats "timeout"',
    },
    {
      name: 'nothing to match',
      change: { match: [] },
      field: 'match',
      message: 'must name at least one model, prefix or "*"',
    },
    {
      name: 'too many patterns',
      change: { match: Array.from({ length: 101 }, (_, index) => `m${index}`) },
      field: 'match',
      message: 'must not have more than 100 entries, not 101',
    },
    {
      name: 'an empty pattern',
      change: { match: ['auto', ' '] },
      field: 'match[1]',
      message: 'must not be empty',
    },
    {
      name: 'a pattern named twice',
      change: { match: ['auto', 'auto'] },
      field: 'match[1]',
      message: 'repeats "auto"',
    },
    {
      name: 'a star in the middle',
      change: { match: ['gpt-*-mini'] },
      field: 'match[0]',
      message: 'may have a "*" at its end only',
    },
    {
      name: 'two stars',
      change: { match: ['**'] },
      field: 'match[0]',
      message: 'may have a "*" at its end only',
    },
    {
      name: 'a pattern without end',
      change: { match: ['m'.repeat(201)] },
      field: 'match[0]',
      message: 'must not be longer than 200 characters, not 201',
    },
    {
      name: 'the primary as a fallback',
      change: { fallbacks: [CLAUDE, GPT] },
      field: 'fallbacks[1]',
      message: 'is the primary itself, gpt-s at openai',
    },
    {
      name: 'a fallback named twice',
      change: { fallbacks: [CLAUDE, CLAUDE] },
      field: 'fallbacks[1]',
      message: 'repeats fallbacks[0], claude-s at anthropic',
    },
    {
      name: 'a fallback named twice without a primary',
      change: { primary: null, fallbacks: [GPT, GPT] },
      field: 'fallbacks[1]',
      message: 'repeats fallbacks[0], gpt-s at openai',
    },
    {
      name: 'eleven fallbacks',
      change: {
        fallbacks: Array.from({ length: 11 }, (_, index) => ({ provider: 'p', model: `m${index}` })),
      },
      field: 'fallbacks',
      message: 'must not be more than 10, not 11',
    },
    {
      name: 'the primary as its canary',
      change: { canary: { target: GPT, percent: 5 } },
      field: 'canary.target',
      message: 'is the primary itself, gpt-s at openai',
    },
    {
      name: 'a canary over everybody',
      change: { canary: { target: CLAUDE, percent: 101 } },
      field: 'canary.percent',
      message: 'must be a number from 0 to 100, not 101',
    },
    {
      name: 'a canary below nobody',
      change: { canary: { target: CLAUDE, percent: -1 } },
      field: 'canary.percent',
      message: 'must be a number from 0 to 100, not -1',
    },
    {
      name: 'an error rate over all',
      change: { canary: { target: CLAUDE, percent: 5, rollbackOn: { errorRate: 1.1 } } },
      field: 'canary.rollback_on.error_rate',
      message: 'must be a number from 0 to 1, not 1.1',
    },
    {
      name: 'a rollback upon no request',
      change: { canary: { target: CLAUDE, percent: 5, rollbackOn: { minRequests: 0 } } },
      field: 'canary.rollback_on.min_requests',
      message: 'must be a whole number from 1 to 1000000, not 0',
    },
  ])('refuses $name', ({ change, field, message }) => {
    expect(problemsOf(change)).toEqual([{ field, message }]);
  });

  it.each<{ name: string; change: Partial<RoutingPolicyInput> }>([
    {
      name: 'a wait for headers beyond the deadline',
      change: { settings: { timeouts: { headersMs: 400_000 } } },
    },
    {
      name: 'a base delay at the cap',
      change: { settings: { retry: { baseDelayMs: 500, maxDelayMs: 500 } } },
    },
    {
      name: 'a deadline of exactly one attempt',
      change: { settings: { minAttemptMs: 2_000, timeouts: { deadlineMs: 2_000 } } },
    },
    {
      name: 'ten fallbacks',
      change: {
        fallbacks: Array.from({ length: 10 }, (_, index) => ({ provider: 'p', model: `m${index}` })),
      },
    },
    {
      name: 'the same model at another provider',
      change: { fallbacks: [{ provider: 'azure', model: 'gpt-s' }] },
    },
    { name: 'a prefix', change: { match: ['gpt-*'] } },
    {
      name: 'a canary without a primary',
      change: { primary: null, canary: { target: CLAUDE, percent: 0.5, stickyBy: 'user' } },
    },
    { name: 'no failover cause', change: { settings: { failoverOn: [] } } },
  ])('accepts $name', ({ change }) => {
    expect(problemsOf(change)).toEqual([]);
  });

  it('names every problem at once', () => {
    const problems = problemsOf({ match: [], settings: { maxHops: 0, minAttemptMs: 0 } });

    expect(problems.map(({ field }) => field)).toEqual(['match', 'max_hops', 'min_attempt_ms']);
  });
});
