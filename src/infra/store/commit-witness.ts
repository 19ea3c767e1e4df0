import type { Result } from '../../domain/kernel/result';
import type { Clock } from '../../usecase/port/clock';
import type { BatchCommitter } from './group-commit';
import type { InteractionWrite, InteractionWritten } from './interaction-store';

/** A process that gets no request any more, as it says that it isn't ready, has to be tried again at some time. */
const FAILURE_COUNTS_MS = 3_000;

/**
 * Remembers how the last commit of interactions went. It knows what a probe that writes one row can't: a disk that is full
 * where their rows go, a table that somebody has locked.
 */
export class CommitWitness implements BatchCommitter<InteractionWrite, InteractionWritten> {
  private failedAtMs: number | null = null;

  constructor(
    private readonly committer: BatchCommitter<InteractionWrite, InteractionWritten>,
    private readonly clock: Clock,
  ) {}

  async commit(writes: readonly InteractionWrite[]): Promise<readonly Result<InteractionWritten, unknown>[]> {
    try {
      const outcomes = await this.committer.commit(writes);
      this.failedAtMs = null;
      return outcomes;
    } catch (error) {
      this.failedAtMs = this.clock.nowMs();
      throw error;
    }
  }

  /** Whether the last commit failed, a moment ago. */
  isFailing(): boolean {
    return this.failedAtMs !== null && this.clock.nowMs() - this.failedAtMs < FAILURE_COUNTS_MS;
  }
}
