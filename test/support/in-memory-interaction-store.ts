import type { ClosingRecord, OpeningRecord } from '../../src/domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../src/domain/interaction/attempt';
import type { RequestId } from '../../src/domain/kernel/ids';
import type { InteractionStore } from '../../src/usecase/port/interaction-store';
import { StoreUnavailable } from '../../src/usecase/port/store-unavailable';
import type { FakeClock } from './fake-clock';

export type StoreOperation = 'open' | 'advance' | 'close';
/** What the store does with a write. `unavailable`: the database is gone. `defect`: a bug of ours throws something else. */
export type StoreMood = 'fine' | 'unavailable' | 'defect';

export type StoredInteraction = {
  readonly opening: OpeningRecord;
  /** Every attempt that was recorded, by its start or, once it has ended, as a whole. */
  readonly attempts: (AttemptStart | Attempt)[];
  closing: ClosingRecord | null;
};

/** Audit records in memory. What a use case must never do is remembered as a violation, and rejected. */
export class InMemoryInteractionStore implements InteractionStore {
  readonly interactions = new Map<RequestId, StoredInteraction>();
  readonly violations: string[] = [];
  /** What happens to the next writes. */
  mood: (operation: StoreOperation) => StoreMood = () => 'fine';
  /** How long a commit takes. */
  commitMs = 0;

  constructor(private readonly clock: FakeClock) {}

  async open(opening: OpeningRecord): Promise<void> {
    this.refuseBadMood('open');
    const { requestId, firstAttempt } = opening;
    this.forbid(this.interactions.has(requestId), `${requestId} is opened twice`);
    this.forbid(
      firstAttempt !== null && firstAttempt.number !== 1,
      `${requestId} begins with a later attempt`,
    );
    const attempts = firstAttempt === null ? [] : [firstAttempt];
    this.interactions.set(requestId, { opening, attempts, closing: null });
    await this.commit();
  }

  async advance(requestId: RequestId, ended: Attempt, next: AttemptStart): Promise<void> {
    this.refuseBadMood('advance');
    const interaction = this.opened(requestId);
    this.forbid(interaction.closing !== null, `${requestId} goes on after its end`);
    this.end(interaction, ended);
    this.forbid(next.number !== ended.number + 1, `attempt ${next.number} follows ${ended.number}`);
    interaction.attempts.push(next);
    await this.commit();
  }

  async close(closing: ClosingRecord): Promise<'closed' | 'already_closed'> {
    this.refuseBadMood('close');
    const interaction = this.opened(closing.requestId);
    if (interaction.closing !== null) {
      this.violations.push(`${closing.requestId} is closed twice`);
      return 'already_closed';
    }
    if (closing.lastAttempt !== null) this.end(interaction, closing.lastAttempt);
    this.forbid(
      closing.attempts !== interaction.attempts.length,
      `${closing.requestId} closes with other attempts`,
    );
    interaction.closing = closing;
    await this.commit();
    return 'closed';
  }

  /** The only interaction that there should be. */
  get only(): StoredInteraction {
    const [first, ...others] = this.interactions.values();
    if (first === undefined || others.length > 0) throw new Error('not exactly one interaction');
    return first;
  }

  get ledger(): readonly Attempt[] {
    return this.only.attempts.filter((attempt) => 'outcome' in attempt);
  }

  private end({ attempts, opening }: StoredInteraction, ended: Attempt): void {
    const last = attempts[attempts.length - 1];
    this.forbid(
      last?.number !== ended.number,
      `${opening.requestId} ends attempt ${ended.number} out of turn`,
    );
    attempts[attempts.length - 1] = ended;
  }

  private opened(requestId: RequestId): StoredInteraction {
    const interaction = this.interactions.get(requestId);
    if (interaction === undefined) throw new Error(`${requestId} was never opened`);
    return interaction;
  }

  private refuseBadMood(operation: StoreOperation): void {
    const mood = this.mood(operation);
    if (mood === 'unavailable') throw new StoreUnavailable('the database is gone');
    if (mood === 'defect') throw new Error('a bug of the store');
  }

  private forbid(happened: boolean, what: string): void {
    if (!happened) return;
    this.violations.push(what);
    throw new Error(what);
  }

  private async commit(): Promise<void> {
    if (this.commitMs > 0) await this.clock.sleep(this.commitMs, new AbortController().signal);
  }
}
