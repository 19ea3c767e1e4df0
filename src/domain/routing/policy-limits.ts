import type { Problem } from '../error/gateway-error';
import type { PolicySettings } from './policy-settings';

/** The range of one number that a policy sets, under its name in the API. */
type Limit = Readonly<{
  field: string;
  of: (settings: PolicySettings) => number | null;
  min: number;
  max: number;
  kind: 'whole' | 'fraction';
}>;

/** No wait of ours is longer than an hour, milliseconds: beyond it no client and no proxy is still there. */
const MAX_WAIT_MS = 3_600_000;
/** DESIGN §6: at most 8 attempts in all, one of which is no retry. */
const MAX_RETRIES = 7;
/** The cost ceiling is compared to six decimals; larger factors are no ceiling. */
const MIN_MULTIPLIER = 0.000_001;
const MAX_MULTIPLIER = 1_000_000;

const LIMITS: readonly Limit[] = [
  fraction(
    'max_fallback_cost_multiplier',
    (s) => s.maxFallbackCostMultiplier,
    MIN_MULTIPLIER,
    MAX_MULTIPLIER,
  ),
  whole('retry.max_retries', (s) => s.retry.maxRetries, 0, MAX_RETRIES),
  whole('retry.max_retries_before_fallback', (s) => s.retry.maxRetriesBeforeFallback, 0, MAX_RETRIES),
  whole('retry.base_delay_ms', (s) => s.retry.baseDelayMs, 1, MAX_WAIT_MS),
  whole('retry.max_delay_ms', (s) => s.retry.maxDelayMs, 1, MAX_WAIT_MS),
  fraction('retry.jitter', (s) => s.retry.jitter, 0, 1),
  whole('max_hops', (s) => s.maxHops, 1, 3),
  whole('timeouts.headers_ms', (s) => s.timeouts.headersMs, 1, MAX_WAIT_MS),
  whole('timeouts.stream_headers_ms', (s) => s.timeouts.streamHeadersMs, 1, MAX_WAIT_MS),
  whole('timeouts.stream_gate_ms', (s) => s.timeouts.streamGateMs, 1, MAX_WAIT_MS),
  whole('timeouts.idle_ms', (s) => s.timeouts.idleMs, 1, MAX_WAIT_MS),
  whole('timeouts.deadline_ms', (s) => s.timeouts.deadlineMs, 1, MAX_WAIT_MS),
  whole('timeouts.ttft_failover_ms', (s) => s.timeouts.ttftFailoverMs, 1, MAX_WAIT_MS),
  whole('min_attempt_ms', (s) => s.minAttemptMs, 1, MAX_WAIT_MS),
];

function whole(field: string, of: Limit['of'], min: number, max: number): Limit {
  return { field, of, min, max, kind: 'whole' };
}

function fraction(field: string, of: Limit['of'], min: number, max: number): Limit {
  return { field, of, min, max, kind: 'fraction' };
}

/** What is wrong with the settings: numbers out of range, and numbers that contradict each other. */
export function problemsOfSettings(settings: PolicySettings): readonly Problem[] {
  const outOfRange = LIMITS.flatMap((limit) => {
    const value = limit.of(settings);
    return value === null ? [] : problemsOfNumber(limit.field, value, limit);
  });
  return [...outOfRange, ...contradictions(settings), ...duplicateCauses(settings)];
}

/** A number outside its range; NaN is outside of every range. */
export function problemsOfNumber(
  field: string,
  value: number,
  limit: Readonly<{ min: number; max: number; kind: 'whole' | 'fraction' }>,
): readonly Problem[] {
  const fits =
    value >= limit.min && value <= limit.max && (limit.kind === 'fraction' || Number.isInteger(value));
  if (fits) return [];
  const wanted = limit.kind === 'whole' ? 'a whole number' : 'a number';
  return [{ field, message: `must be ${wanted} from ${limit.min} to ${limit.max}, not ${value}` }];
}

function contradictions({ retry, timeouts, minAttemptMs }: PolicySettings): readonly Problem[] {
  const problems: Problem[] = [];
  if (retry.baseDelayMs > retry.maxDelayMs) {
    problems.push({
      field: 'retry.base_delay_ms',
      message: `must not be more than retry.max_delay_ms: ${retry.baseDelayMs} is more than ${retry.maxDelayMs}`,
    });
  }
  if (timeouts.deadlineMs < minAttemptMs) {
    problems.push({
      field: 'timeouts.deadline_ms',
      message: `leaves no time for an attempt: ${timeouts.deadlineMs} is less than min_attempt_ms, ${minAttemptMs}`,
    });
  }
  return problems;
}

function duplicateCauses({ failoverOn }: PolicySettings): readonly Problem[] {
  return failoverOn.flatMap((cause, index) =>
    failoverOn.indexOf(cause) === index
      ? []
      : [{ field: `failover_on[${index}]`, message: `repeats "${cause}"` }],
  );
}
