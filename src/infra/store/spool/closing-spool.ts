import type { ClosingRecord } from '../../../domain/audit/audit-record';
import { ok, type Result } from '../../../domain/kernel/result';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import { GroupCommit, type BatchCommitter } from '../group-commit';
import type { SpoolFile, SpoolFolder } from './spool-folder';
import type { SpoolObserver } from './spool-observer';

/**
 * What may wait in the spool: some 100,000 closing records. A store that is away for so long is an incident of its own, and
 * the disk that we would fill is commonly the one that it needs.
 */
export const MAX_SPOOL_BYTES = 256 * 1024 * 1024;

type Kept = Readonly<{ closing: ClosingRecord; cause: unknown }>;

/** Closing records that the store could not take, on the disk of this gateway. What is kept at once shares one file. */
export class ClosingSpool implements BatchCommitter<Kept, void> {
  private readonly writes = new GroupCommit<Kept, void>(this);
  private closings = 0;
  private bytes = 0;

  constructor(
    private readonly folder: SpoolFolder,
    private readonly observer: SpoolObserver,
    private readonly maxBytes = MAX_SPOOL_BYTES,
  ) {}

  /** Resolves when the record is on disk; rejects with `StoreUnavailable` if it can't be. `cause`: why the store has not got it. */
  async keep(closing: ClosingRecord, cause: unknown): Promise<void> {
    await this.writes.submit({ closing, cause });
  }

  async commit(kept: readonly Kept[]): Promise<readonly Result<void, unknown>[]> {
    if (this.bytes >= this.maxBytes) {
      throw new StoreUnavailable(`The spool holds ${this.bytes} bytes already.`);
    }
    const file = await this.folder.write(kept.map(({ closing }) => closing));
    this.bytes += file.bytes;
    this.closings += file.closings;
    this.observer.kept(file.closings, kept[0]?.cause);
    this.observer.depth(this.closings);
    return kept.map(() => ok(undefined));
  }

  /** Everything that waits, whichever process left it; oldest first. */
  async files(): Promise<readonly SpoolFile[]> {
    const files = await this.folder.list();
    this.bytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
    this.closings = files.reduce((sum, { closings }) => sum + closings, 0);
    this.observer.depth(this.closings);
    return files;
  }

  /** Refuses what comes, and resolves when the rest is on disk. */
  drain(): Promise<void> {
    return this.writes.drain();
  }
}
