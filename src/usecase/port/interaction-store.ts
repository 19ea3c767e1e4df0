import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Shortfall } from '../../domain/wallet/reservation';

/**
 * Writes the audit records of running interactions. Each promise resolves when the write is durable; writes of
 * concurrent requests share one commit. A store that can't take a write rejects with `StoreUnavailable`.
 *
 * What an interaction holds of its tenant's wallet changes in the same commit as its record: a crash leaves both or neither.
 */
export interface InteractionStore {
  /**
   * The opening row, with the start of the first attempt if there will be one, and its reservation. Resolves before
   * anything may be sent; a refused opening has written nothing.
   */
  open(opening: OpeningRecord): Promise<Opening>;
  /**
   * A failed attempt and the start of the next one, durable before that one is sent. `reservationMicroUsd` is what the
   * whole interaction may cost by now; null: it holds nothing. `insufficient_balance` has written nothing. Rejects if the
   * interaction is closed.
   */
  advance(
    requestId: RequestId,
    ended: Attempt,
    next: AttemptStart,
    reservationMicroUsd: MicroUsd | null,
  ): Promise<Advance>;
  /**
   * The one closing write, with the last attempt. Settles the reservation: the cost takes its place, or where that is
   * unknown all of it. `already_closed`: somebody closed it before, and nothing was changed.
   * `spooled`: the store is away; the record is on our disk, and goes to the store when that is back.
   */
  close(closing: ClosingRecord): Promise<'closed' | 'already_closed' | 'spooled'>;
}

export type Opening = Readonly<{ kind: 'opened' }> | RefusedOpening;
export type Advance = Readonly<{ kind: 'advanced' }> | InsufficientBalance;

/** `idempotency_taken`: another interaction has this tenant's idempotency key. */
export type RefusedOpening = InsufficientBalance | Readonly<{ kind: 'idempotency_taken' }>;
export type InsufficientBalance = Readonly<{ kind: 'insufficient_balance' }> & Shortfall;
