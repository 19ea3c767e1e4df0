import type { Problem } from '../error/gateway-error';
import type { RoutingPolicyData } from './policy-data';
import { problemsOfNumber } from './policy-limits';
import { isSameTarget } from './target';
import type { Target } from './target';

/** More fallbacks than this can't be reached within three hops, and make a plan that nobody reads. */
const MAX_FALLBACKS = 10;
/** Bounds what every request is compared with. */
const MAX_PATTERNS = 100;
/** Longer than any model name of a provider. */
const MAX_PATTERN_LENGTH = 200;

/** What is wrong with what the policy matches, and with the targets that it names. */
export function problemsOfShape(policy: RoutingPolicyData): readonly Problem[] {
  return [...problemsOfMatch(policy.match), ...problemsOfFallbacks(policy), ...problemsOfCanary(policy)];
}

function problemsOfMatch(match: readonly string[]): readonly Problem[] {
  if (match.length === 0) return [{ field: 'match', message: 'must name at least one model, prefix or "*"' }];
  if (match.length > MAX_PATTERNS) {
    return [
      { field: 'match', message: `must not have more than ${MAX_PATTERNS} entries, not ${match.length}` },
    ];
  }
  return match.flatMap((pattern, index) => {
    const message =
      messageOnPattern(pattern) ?? (match.indexOf(pattern) < index ? `repeats "${pattern}"` : null);
    return message === null ? [] : [{ field: `match[${index}]`, message }];
  });
}

function messageOnPattern(pattern: string): string | null {
  if (pattern.trim() === '') return 'must not be empty';
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return `must not be longer than ${MAX_PATTERN_LENGTH} characters, not ${pattern.length}`;
  }
  return pattern.slice(0, -1).includes('*') ? 'may have a "*" at its end only' : null;
}

function problemsOfFallbacks({ primary, fallbacks }: RoutingPolicyData): readonly Problem[] {
  const tooMany =
    fallbacks.length > MAX_FALLBACKS
      ? [{ field: 'fallbacks', message: `must not be more than ${MAX_FALLBACKS}, not ${fallbacks.length}` }]
      : [];
  const repeated = fallbacks.flatMap((fallback, index) => {
    const field = `fallbacks[${index}]`;
    if (primary !== null && isSameTarget(fallback, primary)) {
      return [{ field, message: `is the primary itself, ${nameOf(fallback)}` }];
    }
    const earlier = fallbacks.findIndex((other) => isSameTarget(other, fallback));
    return earlier < index ? [{ field, message: `repeats fallbacks[${earlier}], ${nameOf(fallback)}` }] : [];
  });
  return [...tooMany, ...repeated];
}

function problemsOfCanary({ primary, canary }: RoutingPolicyData): readonly Problem[] {
  if (canary === null) return [];
  const { target, percent, rollbackOn } = canary;
  const same =
    primary !== null && isSameTarget(target, primary)
      ? [{ field: 'canary.target', message: `is the primary itself, ${nameOf(target)}` }]
      : [];
  return [
    ...same,
    ...problemsOfNumber('canary.percent', percent, { min: 0, max: 100, kind: 'fraction' }),
    ...problemsOfNumber('canary.rollback_on.error_rate', rollbackOn.errorRate, {
      min: 0,
      max: 1,
      kind: 'fraction',
    }),
    ...problemsOfNumber('canary.rollback_on.min_requests', rollbackOn.minRequests, {
      min: 1,
      max: 1_000_000,
      kind: 'whole',
    }),
  ];
}

function nameOf(target: Target): string {
  return `${target.model} at ${target.provider}`;
}
