import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { AttemptObserver } from '../../usecase/port/attempt-observer';
import type { Advance, InteractionStore, Opening } from '../../usecase/port/interaction-store';

/** Tells observers of every attempt that is recorded with its end. */
export class ObservedInteractionStore implements InteractionStore {
  constructor(
    private readonly store: InteractionStore,
    private readonly observers: readonly AttemptObserver[],
  ) {}

  open(opening: OpeningRecord): Promise<Opening> {
    return this.store.open(opening);
  }

  /** An attempt that goes no further is told when its interaction closes. */
  async advance(
    requestId: RequestId,
    ended: Attempt,
    next: AttemptStart,
    reservationMicroUsd: MicroUsd | null,
  ): Promise<Advance> {
    const outcome = await this.store.advance(requestId, ended, next, reservationMicroUsd);
    if (outcome.kind === 'advanced') this.tell(ended, requestId);
    return outcome;
  }

  close(closing: ClosingRecord): ReturnType<InteractionStore['close']> {
    const { lastAttempt, requestId } = closing;
    if (lastAttempt !== null) this.tell(lastAttempt, requestId);
    return this.store.close(closing);
  }

  private tell(ended: Attempt, requestId: RequestId): void {
    for (const observer of this.observers) observer.observe(ended, requestId);
  }
}
