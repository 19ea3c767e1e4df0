import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { InteractionStore } from '../../usecase/port/interaction-store';
import type { GroupCommit } from './group-commit';

/** One write of a running interaction; each is all or nothing. */
export type InteractionWrite =
  | Readonly<{ kind: 'open'; opening: OpeningRecord }>
  | Readonly<{ kind: 'advance'; requestId: RequestId; ended: Attempt; next: AttemptStart }>
  | Readonly<{ kind: 'close'; closing: ClosingRecord }>;

export type InteractionWritten = 'written' | 'already_closed';

/** Puts the writes of all interactions through one group commit; the dialect is the committer's matter. */
export class SqlInteractionStore implements InteractionStore {
  constructor(private readonly writes: GroupCommit<InteractionWrite, InteractionWritten>) {}

  async open(opening: OpeningRecord): Promise<void> {
    await this.writes.submit({ kind: 'open', opening });
  }

  async advance(requestId: RequestId, ended: Attempt, next: AttemptStart): Promise<void> {
    await this.writes.submit({ kind: 'advance', requestId, ended, next });
  }

  async close(closing: ClosingRecord): Promise<'closed' | 'already_closed'> {
    const written = await this.writes.submit({ kind: 'close', closing });
    return written === 'already_closed' ? 'already_closed' : 'closed';
  }
}
