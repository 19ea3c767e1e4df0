import type { Result } from '../../domain/kernel/result';
import { StoreUnavailable } from '../../usecase/port/store-unavailable';

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
}>;

/** 256 writes take about 5 ms; 10,000 waiting ones are some megabytes and a fraction of a second. */
export const DEFAULT_LIMITS: GroupCommitLimits = { batch: 256, queue: 10_000 };

type Waiting<W, R> = Readonly<{ write: W; resolve: (value: R) => void; reject: (error: unknown) => void }>;

/**
 * Collects the writes of concurrent requests and commits them once per turn of the event loop: a durable commit costs a
 * disk flush, whether it holds one write or a hundred. Each promise settles after the commit.
 */
export class GroupCommit<W, R> {
  private waiting: Waiting<W, R>[] = [];
  private running: Promise<void> | null = null;
  private state: 'accepting' | 'closed' = 'accepting';

  constructor(
    private readonly committer: BatchCommitter<W, R>,
    private readonly limits: GroupCommitLimits = DEFAULT_LIMITS,
  ) {}

  submit(write: W): Promise<R> {
    if (this.state === 'closed') return Promise.reject(new StoreUnavailable('The store is closing.'));
    if (this.waiting.length >= this.limits.queue) {
      return Promise.reject(
        new StoreUnavailable(`${this.limits.queue} writes are waiting for the store already.`),
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, resolve, reject });
      this.running ??= this.nextTurn();
    });
  }

  /** Refuses new writes, and resolves when the waiting ones have settled. */
  async drain(): Promise<void> {
    this.state = 'closed';
    while (this.running !== null) await this.running;
  }

  private nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => void this.flush().finally(resolve));
    });
  }

  private async flush(): Promise<void> {
    const batch = this.waiting.slice(0, this.limits.batch);
    this.waiting = this.waiting.slice(this.limits.batch);
    try {
      const outcomes = await this.committer.commit(batch.map((entry) => entry.write));
      batch.forEach((entry, index) => settle(entry, outcomes[index]));
    } catch (error) {
      const gone = new StoreUnavailable('The store could not commit.', { cause: error });
      for (const entry of batch) entry.reject(gone);
    }
    this.running = this.waiting.length > 0 ? this.nextTurn() : null;
  }
}

function settle<W, R>(entry: Waiting<W, R>, outcome: Result<R, unknown> | undefined): void {
  if (outcome === undefined) entry.reject(new Error('The committer returned no outcome for a write.'));
  else if (outcome.ok) entry.resolve(outcome.value);
  else entry.reject(outcome.error);
}
