import type { RoutingPolicyInput } from '../../../src/domain/routing/routing-policy';
import { CourseWalk } from '../../../src/usecase/drill/course';
import { expectationOf } from '../../../src/usecase/drill/expectation';
import { ladderOf } from '../../../src/usecase/drill/ladder';
import type { ProviderAct } from '../../../src/usecase/port/rehearsal-stage';
import { CLAUDE, drillSetting, LARGE } from '../../support/drill-setting';
import { anOffering, aPrice } from '../../support/sample-catalog';

const DOWN: ProviderAct = { kind: 'is_down' };
const ANSWERS: ProviderAct = { kind: 'answers' };
const BREAKS: ProviderAct = { kind: 'breaks_off' };
const limits = (retryAfterSeconds: number): ProviderAct => ({ kind: 'rate_limits', retryAfterSeconds });

const PRICES = { first: aPrice(100, 400), messages: aPrice(300, 1_200) };
/** One channel per model, so that a course has no channel fallback unless a row asks for one. */
const OFFERINGS = [
  anOffering({ id: 's', channel: 'first', price: PRICES.first }),
  anOffering({
    id: 'l',
    channel: 'first',
    model: 'gpt-l',
    upstreamName: 'gpt-l',
    price: aPrice(1_000, 4_000),
  }),
  anOffering({
    id: 'c',
    channel: 'messages',
    model: 'claude-s',
    upstreamName: 'claude-s',
    price: PRICES.messages,
  }),
];

type Acts = Readonly<Record<string, readonly ProviderAct[]>>;
/** What the policy says, and what the channels do. */
type Played = readonly [policy: Partial<RoutingPolicyInput>, acts: Acts];

function told(policy: Partial<RoutingPolicyInput>, acts: Acts, drawn: readonly (number | null)[] = []) {
  const setting = drillSetting({ policy, entries: { offerings: OFFERINGS } });
  const { settings } = setting.policy.policy;
  const ladder = ladderOf(setting, { stream: false, tools: false });
  const script = new Map(Object.entries(acts));
  const course = new CourseWalk({
    ladder,
    script,
    settings,
    deadlineMs: settings.timeouts.deadlineMs,
    drawn,
  }).walk();
  const { status, code, state, model, fallbackReason } = expectationOf(course, {
    setting,
    ladder,
    stream: false,
  });
  return {
    attempts: course.attempts.map(({ route, action, outcome }) => `${action} ${route.id} ${outcome}`),
    waits: course.attempts.map(({ wait }) => [wait.minMs, wait.maxMs]),
    end: [status, code, state, model, fallbackReason],
  };
}

const FAILED = [502, 'provider_failed', 'failed', null, null];

describe('the course that a drill expects', () => {
  it.each<[row: string, played: Played, attempts: string[], end: unknown[]]>([
    ['a healthy primary answers', [{}, {}], ['initial s served'], [200, null, 'served', 'gpt-s', null]],
    [
      'one retry comes before a fallback',
      [{ fallbacks: [CLAUDE] }, { first: [DOWN] }],
      ['initial s server_error', 'retry s server_error', 'model_fallback c served'],
      [200, null, 'served', 'auto→claude-s (fallback: gpt-s)', 'primary_provider_5xx'],
    ],
    [
      'without an opt-in the retries are all there is',
      [{ settings: { retry: { maxRetries: 2 } } }, { first: [DOWN] }],
      ['initial s server_error', 'retry s server_error', 'retry s server_error'],
      FAILED,
    ],
    [
      'with no fallback left the last route has its own retries, up to 8 attempts in all',
      [
        { fallbacks: [CLAUDE], settings: { retry: { maxRetries: 7 } } },
        { first: [DOWN], messages: [DOWN] },
      ],
      [
        'initial s server_error',
        'retry s server_error',
        'model_fallback c server_error',
        ...Array.from({ length: 5 }, () => 'retry c server_error'),
      ],
      FAILED,
    ],
    [
      'a circuit that opens at three failures ends the retries where a fallback is left',
      [{ fallbacks: [CLAUDE], settings: { retry: { maxRetriesBeforeFallback: 5 } } }, { first: [DOWN] }],
      ['initial s server_error', 'retry s server_error', 'retry s server_error', 'model_fallback c served'],
      [200, null, 'served', 'auto→claude-s (fallback: gpt-s)', 'primary_provider_5xx'],
    ],
    [
      'a cause that isn’t listed leads nowhere',
      [
        { fallbacks: [CLAUDE], settings: { failoverOn: ['timeout'], retry: { maxRetries: 0 } } },
        { first: [DOWN] },
      ],
      ['initial s server_error'],
      FAILED,
    ],
    [
      'a wait that fits is waited for',
      [{ fallbacks: [CLAUDE] }, { first: [limits(2), ANSWERS] }],
      ['initial s rate_limited', 'retry s served'],
      [200, null, 'served', 'gpt-s', null],
    ],
    [
      'a wait that doesn’t fit ends the route',
      [{ fallbacks: [CLAUDE] }, { first: [limits(400)] }],
      ['initial s rate_limited', 'model_fallback c served'],
      [200, null, 'served', 'auto→claude-s (fallback: gpt-s)', 'primary_provider_429'],
    ],
    [
      'with every route rate-limited it is a rate limit of ours',
      [{ fallbacks: [CLAUDE] }, { first: [limits(400)], messages: [limits(400)] }],
      ['initial s rate_limited', 'model_fallback c rate_limited'],
      [429, 'rate_limit_exceeded', 'failed', null, null],
    ],
    [
      'a ceiling that refuses every fallback is named, with no retry on top',
      [{ fallbacks: [LARGE] }, { first: [DOWN] }],
      ['initial s server_error', 'retry s server_error'],
      [502, 'fallback_cost_ceiling', 'failed', null, null],
    ],
    [
      'one hop leaves no fallback',
      [{ fallbacks: [CLAUDE], settings: { maxHops: 1, retry: { maxRetries: 1 } } }, { first: [DOWN] }],
      ['initial s server_error', 'retry s server_error'],
      FAILED,
    ],
    [
      'a refused request is asked once',
      [{ fallbacks: [CLAUDE] }, { first: [{ kind: 'refuses_request' }] }],
      ['initial s caller'],
      [400, null, 'failed', null, null],
    ],
    [
      'a break after output ends it',
      [{ fallbacks: [CLAUDE] }, { first: [BREAKS] }],
      ['initial s partial'],
      [200, 'provider_failed', 'partial', null, null],
    ],
    [
      'a break in a held answer is a broken connection, retried once',
      [
        { fallbacks: [CLAUDE], settings: { commitOn: 'complete', retry: { maxRetriesBeforeFallback: 3 } } },
        { first: [BREAKS] },
      ],
      ['initial s network', 'retry s network', 'model_fallback c served'],
      [200, null, 'served', 'auto→claude-s (fallback: gpt-s)', 'primary_stream_error'],
    ],
    [
      'a deadline ends the retries',
      [{ settings: { timeouts: { deadlineMs: 4_000 } } }, { first: [DOWN] }],
      ['initial s server_error', 'retry s server_error'],
      FAILED,
    ],
  ])('%s', (_, [policy, acts], attempts, end) => {
    const course = told(policy, acts);

    expect(course.attempts).toEqual(attempts);
    expect(course.end).toEqual(end);
  });

  it('doubles the wait, moved by at most a quarter', () => {
    const { waits } = told({ settings: { retry: { maxRetries: 3, maxDelayMs: 3_000 } } }, { first: [DOWN] });

    expect(waits).toEqual([
      [0, 0],
      [750, 1_250],
      [1_500, 2_500],
      [2_250, 3_750],
    ]);
  });

  it('counts the waits that were really drawn against the deadline', () => {
    const policy = { settings: { timeouts: { deadlineMs: 4_000 } } };

    const shorter = told(policy, { first: [DOWN] }, [null, 750, 1_600]);

    expect(shorter.attempts).toHaveLength(3);
  });
});
