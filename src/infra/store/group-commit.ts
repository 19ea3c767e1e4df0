import type { Result } from '../../domain/kernel/result';
import { StoreUnavailable, type Written } from '../../usecase/port/store-unavailable';
import type { Timer } from '../../usecase/port/timer';
import { SystemTimer } from '../runtime/system-timer';

/** Writes many things in one transaction. */
export interface BatchCommitter<W, R> {
  /**
   * Commits the writes together. One outcome per write, in their order: a write that is wrong in itself is an error of
   * its own, and the others are durable. Rejects when the store failed: then none of them counts as written.
   */
  commit(writes: readonly W[]): Promise<readonly Result<R, unknown>[]>;
}

export type GroupCommitLimits = Readonly<{
  /** Writes in one transaction: bounds how long one commit holds up the event loop. */
  batch: number;
  /** Writes that may wait. More are refused at once: a store that far behind is as good as gone. */
  queue: number;
  /** How long one commit may take, milliseconds, before its writes are given up and those behind it refused. */
  commitMs: number;
  /** After a commit of so many writes the next one begins no sooner than `delayMs` after it. */
  siblings: number;
  /** Milliseconds from the start of one commit to the start of the next, where writes come often. */
  delayMs: number;
}>;

/**
 * 256 writes take about 5 ms; 10,000 waiting ones are some megabytes and a fraction of a second. Five seconds are longer than a
 * store waits for others by itself, and no caller should wait longer to hear that his request can't be recorded. A commit costs
 * a fifth of a millisecond of CPU beside its writes: three that met by chance mean that in 5 ms some more will come (PostgreSQL
 * has the same two settings, `commit_siblings` and `commit_delay`).
 */
export const DEFAULT_LIMITS: GroupCommitLimits = {
  batch: 256,
  queue: 10_000,
  commitMs: 5_000,
  siblings: 3,
  delayMs: 5,
};

type Waiting<W, R> = Readonly<{ write: W; resolve: (value: R) => void; reject: (error: unknown) => void }>;

/**
 * Collects the writes of concurrent requests and commits them together: a durable commit costs a disk flush, whether it holds
 * one write or a hundred. A write waits for the end of its turn of the event loop, or some milliseconds while writes come often.
 * Each promise settles after the commit, or when that takes too long.
 */
export class GroupCommit<W, R> {
  private waiting: Waiting<W, R>[] = [];
  private running: Promise<void> | null = null;
  private state: 'accepting' | 'closed' = 'accepting';
  /** A commit hangs: until it settles, whatever comes would only wait behind it. */
  private stuck = false;
  /** Writes come often, and the last commit began a moment ago. */
  private delay: Promise<void> | null = null;

  constructor(
    private readonly committer: BatchCommitter<W, R>,
    private readonly limits: GroupCommitLimits = DEFAULT_LIMITS,
    private readonly timer: Timer = new SystemTimer(),
  ) {}

  submit(write: W): Promise<R> {
    const refusal = this.refusal();
    if (refusal !== null) return Promise.reject(new StoreUnavailable(refusal));
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, resolve, reject });
      this.running ??= this.nextTurn();
    });
  }

  /** Refuses new writes, and resolves when the waiting ones have settled. */
  async drain(): Promise<void> {
    this.state = 'closed';
    while (this.running !== null && !this.stuck) await this.running;
  }

  private refusal(): string | null {
    if (this.state === 'closed') return 'The store is closing.';
    if (this.stuck) return 'The store has not answered for a while.';
    if (this.waiting.length < this.limits.queue) return null;
    return `${this.limits.queue} writes are waiting for the store already.`;
  }

  private nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.soon(() => {
        const batch = this.waiting.slice(0, this.limits.batch);
        this.waiting = this.waiting.slice(this.limits.batch);
        if (batch.length >= this.limits.siblings) this.delayNext();
        const cancel = this.timer.start(this.limits.commitMs, () => {
          this.giveUp(batch);
          resolve();
        });
        void this.commit(batch).then(() => {
          cancel();
          this.stuck = false;
          this.running = this.waiting.length > 0 ? this.nextTurn() : null;
          resolve();
        });
      });
    });
  }

  private soon(work: () => void): void {
    if (this.delay === null) setImmediate(work);
    else void this.delay.then(work);
  }

  private delayNext(): void {
    this.delay = new Promise((resolve) => {
      this.timer.start(this.limits.delayMs, () => {
        this.delay = null;
        resolve();
      });
    });
  }

  private async commit(batch: readonly Waiting<W, R>[]): Promise<void> {
    try {
      const outcomes = await this.committer.commit(batch.map((entry) => entry.write));
      batch.forEach((entry, index) => settle(entry, outcomes[index]));
    } catch (cause) {
      const written: Written = cause instanceof StoreUnavailable ? cause.written : 'no';
      rejectAll(batch, new StoreUnavailable('The store could not commit.', { cause, written }));
    }
  }

  private giveUp(batch: readonly Waiting<W, R>[]): void {
    this.stuck = true;
    const message = `The store has not committed within ${this.limits.commitMs} ms.`;
    rejectAll(batch, new StoreUnavailable(message, { written: 'unknown' }));
    rejectAll(this.waiting, new StoreUnavailable(message));
    this.waiting = [];
  }
}

function rejectAll<W, R>(batch: readonly Waiting<W, R>[], error: StoreUnavailable): void {
  for (const entry of batch) entry.reject(error);
}

function settle<W, R>(entry: Waiting<W, R>, outcome: Result<R, unknown> | undefined): void {
  if (outcome === undefined) entry.reject(new Error('The committer returned no outcome for a write.'));
  else if (outcome.ok) entry.resolve(outcome.value);
  else entry.reject(outcome.error);
}
