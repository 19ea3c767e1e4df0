import type { ClosingRecord } from '../../domain/audit/audit-record';
import { NO_USAGE, type Usage } from '../../domain/interaction/usage';
import { microUsdOf, type MicroUsd } from '../../domain/kernel/money';
import type { OpenInteraction, RecordedAttempt } from '../port/open-interactions';

/**
 * How an interaction ends that nobody closed. What the caller got is unknown, so nobody is named as having served it, and
 * an attempt without an end makes the cost unknown: unknown is never zero. A tenant with a wallet pays the input of such an
 * attempt, which the provider has read at least (ADR 15).
 */
export function interruptedClosing(open: OpenInteraction, nowMs: number): ClosingRecord {
  return {
    requestId: open.requestId,
    state: 'interrupted',
    closedAtMs: nowMs,
    errorCode: null,
    served: null,
    fallbackReason: null,
    refusals: open.refusals,
    attempts: open.attempts.length,
    usage: usageOf(open.attempts),
    costMicroUsd: costOf(open.attempts) ?? open.reservationMicroUsd,
    lastAttempt: null,
  };
}

function costOf(attempts: readonly RecordedAttempt[]): MicroUsd | null {
  let total = 0;
  for (const { progress, costPico, inputEstimate } of attempts) {
    const cost = progress === 'running' ? (inputEstimate?.costPico ?? null) : costPico;
    if (cost === null) return null;
    total += cost;
  }
  return microUsdOf(total);
}

function usageOf(attempts: readonly RecordedAttempt[]): Usage {
  const reported = attempts.map(usedBy).filter((usage) => usage.source !== 'none');
  if (reported.length === 0) return NO_USAGE;
  const complete =
    attempts.every((attempt) => attempt.progress === 'ended') &&
    reported.every((usage) => usage.source === 'provider');
  return {
    inputTokens: sum(reported.map((usage) => usage.inputTokens)),
    cachedInputTokens: sum(reported.map((usage) => usage.cachedInputTokens)),
    cacheWriteTokens: sum(reported.map((usage) => usage.cacheWriteTokens)),
    cacheWrite1hTokens: sum(reported.map((usage) => usage.cacheWrite1hTokens ?? null)),
    outputTokens: sum(reported.map((usage) => usage.outputTokens)),
    reasoningTokens: sum(reported.map((usage) => usage.reasoningTokens)),
    // Tokens of an attempt that never ended are missing from the sum.
    source: complete ? 'provider' : 'estimated',
    raw: null,
  };
}

function usedBy({ progress, usage, inputEstimate }: RecordedAttempt): Usage {
  if (progress === 'ended' || inputEstimate === null) return usage;
  return { ...NO_USAGE, inputTokens: inputEstimate.inputTokens, source: 'estimated' };
}

/** Null: nobody reported it. */
function sum(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}
