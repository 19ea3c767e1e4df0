import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type {
  Advance,
  InteractionStore,
  Opening,
  RefusedOpening,
} from '../../usecase/port/interaction-store';
import type { GroupCommit } from './group-commit';

export type AdvanceWrite = Readonly<{
  kind: 'advance';
  requestId: RequestId;
  ended: Attempt;
  next: AttemptStart;
  reservationMicroUsd: MicroUsd | null;
}>;

/** One write of a running interaction; each is all or nothing. */
export type InteractionWrite =
  | Readonly<{ kind: 'open'; opening: OpeningRecord }>
  | AdvanceWrite
  | Readonly<{ kind: 'close'; closing: ClosingRecord }>;

/** A refusal has written nothing, and is no failure of the store. */
export type InteractionWritten = 'written' | 'already_closed' | RefusedOpening;

/** Puts the writes of all interactions through one group commit; the dialect is the committer's matter. */
export class SqlInteractionStore implements InteractionStore {
  constructor(private readonly writes: GroupCommit<InteractionWrite, InteractionWritten>) {}

  async open(opening: OpeningRecord): Promise<Opening> {
    const written = await this.writes.submit({ kind: 'open', opening });
    return typeof written === 'object' ? written : { kind: 'opened' };
  }

  async advance(
    requestId: RequestId,
    ended: Attempt,
    next: AttemptStart,
    reservationMicroUsd: MicroUsd | null,
  ): Promise<Advance> {
    const written = await this.writes.submit({
      kind: 'advance',
      requestId,
      ended,
      next,
      reservationMicroUsd,
    });
    const isRefused = typeof written === 'object' && written.kind === 'insufficient_balance';
    return isRefused ? written : { kind: 'advanced' };
  }

  async close(closing: ClosingRecord): Promise<'closed' | 'already_closed'> {
    const written = await this.writes.submit({ kind: 'close', closing });
    return written === 'already_closed' ? 'already_closed' : 'closed';
  }
}
