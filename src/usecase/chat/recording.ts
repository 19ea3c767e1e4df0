import type { GatewayError } from '../../domain/error/gateway-error';
import { IN_PROGRESS_RETRY_AFTER_MS } from '../../domain/interaction/idempotency';
import { assertNever } from '../../domain/kernel/assert-never';
import type { NextStop } from '../../domain/resilience/next-action';
import type { Refusal } from '../../domain/routing/refusal';
import type { Advance, Opening } from '../port/interaction-store';
import { StoreUnavailable } from '../port/store-unavailable';
import type { InteractionCourse } from './interaction-course';

/** Why the store refused the start of an attempt; null: it is on record. */
export function errorOfRecording(outcome: Opening | Advance): GatewayError | null {
  switch (outcome.kind) {
    case 'opened':
    case 'advanced':
      return null;
    case 'insufficient_balance': {
      const { requiredMicroUsd, availableMicroUsd } = outcome;
      return { code: 'insufficient_balance', requiredMicroUsd, availableMicroUsd };
    }
    case 'idempotency_taken':
      return { code: 'idempotency_in_progress', retryAfterMs: IN_PROGRESS_RETRY_AFTER_MS };
    default:
      return assertNever(outcome);
  }
}

/** The end of an interaction whose next attempt is not on record. A refusal only if nobody was asked before. */
export function unrecorded(
  { ledger }: InteractionCourse,
  error: GatewayError,
  refusals: readonly Refusal[],
): NextStop {
  const refused = ledger.length === 0 && error.code !== 'audit_unavailable';
  return { kind: 'stop', state: refused ? 'refused' : 'failed', error, refusals };
}

/** Whether the store has taken no opening: then nobody was asked, nothing is lost, and the caller is told to come again. */
export async function isTurnedAway(opening: Promise<unknown> | null): Promise<boolean> {
  const cause = await opening?.then(
    () => null,
    (reason: unknown) => reason,
  );
  return cause instanceof StoreUnavailable;
}
