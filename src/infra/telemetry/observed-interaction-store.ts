import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { AttemptObserver } from '../../usecase/port/attempt-observer';
import type { Advance, InteractionStore, Opening } from '../../usecase/port/interaction-store';

/** Tells an observer of every attempt that is recorded with its end. */
export class ObservedInteractionStore implements InteractionStore {
  constructor(
    private readonly store: InteractionStore,
    private readonly observer: AttemptObserver,
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
    if (outcome.kind === 'advanced') this.observer.observe(ended);
    return outcome;
  }

  close(closing: ClosingRecord): ReturnType<InteractionStore['close']> {
    if (closing.lastAttempt !== null) this.observer.observe(closing.lastAttempt);
    return this.store.close(closing);
  }
}
