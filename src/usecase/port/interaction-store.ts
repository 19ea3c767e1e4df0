import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';

/**
 * Writes the audit records of running interactions. Each promise resolves when the write is durable; writes of
 * concurrent requests share one commit. A store that can't take a write rejects with `StoreUnavailable`.
 */
export interface InteractionStore {
  /** The opening row, with the start of the first attempt if there will be one. Resolves before anything may be sent. */
  open(opening: OpeningRecord): Promise<void>;
  /** A failed attempt and the start of the next one, durable before that one is sent. Rejects if the interaction is closed. */
  advance(requestId: RequestId, ended: Attempt, next: AttemptStart): Promise<void>;
  /** The one closing write, with the last attempt. `already_closed`: somebody closed it before, and nothing was changed. */
  close(closing: ClosingRecord): Promise<'closed' | 'already_closed'>;
}
