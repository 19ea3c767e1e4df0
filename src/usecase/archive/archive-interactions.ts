import { archivedText, type ArchivedInteraction } from '../../domain/archive/archived-interaction';
import { retentionMsOf, type ArchiveTerm } from '../../domain/archive/archive-term';
import type { JsonObject } from '../../domain/kernel/json';
import type { RequestId, TenantId } from '../../domain/kernel/ids';
import type { ArchiveEntry, ArchiveStore } from '../port/archive-store';
import type { ArchiveReport } from '../port/archive-report';
import type { ArchiveVault } from '../port/archive-vault';
import type { Clock } from '../port/clock';
import type { WrittenAnswer } from '../port/reply';
import type { Sleeper } from '../port/sleeper';

/** What is sealed and written in one go, as nobody else is served or writes meanwhile: so many interactions... */
const AT_A_TIME = 20;
/** ...and so many UTF-16 units, some 20 ms, unless one alone has more. */
const CHARACTERS_AT_A_TIME = 1_048_576;
/** Before each of them running interactions get their turn. */
const PAUSE_MS = 50;
/** UTF-16 units that may wait for the store, 64 MB at most. What comes on top is lost to the archive. */
const MAX_WAITING_CHARACTERS = 33_554_432;

export type ArchiveInteractionsDeps = Readonly<{
  store: Pick<ArchiveStore, 'add'>;
  vault: Pick<ArchiveVault, 'seal'>;
  report: ArchiveReport;
  clock: Clock;
  sleeper: Sleeper;
  shutdown: AbortSignal;
}>;

/** An interaction that has ended, of a tenant whose archive was on when it began. */
export type EndedInteraction = Readonly<{
  requestId: RequestId;
  tenant: TenantId;
  term: ArchiveTerm;
  body: JsonObject;
  /** Null: the caller got none. */
  answer: WrittenAnswer | null;
}>;

type Waiting = Pick<EndedInteraction, 'requestId' | 'tenant' | 'term'> &
  Readonly<{ content: ArchivedInteraction; characters: number }>;

/** Archives what has ended, behind its caller's back: no answer waits for the archive, and none fails by it. */
export class ArchiveInteractions {
  private readonly waiting: Waiting[] = [];
  private waitingCharacters = 0;
  private running: Promise<void> | null = null;

  constructor(private readonly deps: ArchiveInteractionsDeps) {}

  keep({ requestId, tenant, term, body, answer }: EndedInteraction): void {
    const content = {
      request: term.include.includes('request') ? archivedText(JSON.stringify(body)) : null,
      answer: term.include.includes('answer') && answer !== null ? archivedAnswer(answer) : null,
    };
    // A cut text may hold on to the whole, so that is what counts.
    const characters = (content.request?.characters ?? 0) + (content.answer?.characters ?? 0);
    if (this.waitingCharacters + characters > MAX_WAITING_CHARACTERS) {
      this.deps.report.lost([requestId], 'overloaded', null);
      return;
    }
    this.waiting.push({ requestId, tenant, term, content, characters });
    this.waitingCharacters += characters;
    this.running ??= this.writeAll();
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  private async writeAll(): Promise<void> {
    const { sleeper, shutdown } = this.deps;
    while (this.waiting.length > 0) {
      await sleeper.sleep(PAUSE_MS, shutdown);
      const batch = this.waiting.splice(0, batchLength(this.waiting));
      await this.write(batch);
      for (const { characters } of batch) this.waitingCharacters -= characters;
    }
    this.running = null;
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const { store, report, clock } = this.deps;
    try {
      const nowMs = clock.nowMs();
      const stored = await store.add(batch.map((interaction) => this.sealed(interaction, nowMs)));
      report.stored(stored);
      report.unwanted(batch.length - stored);
    } catch (cause) {
      report.lost(
        batch.map(({ requestId }) => requestId),
        'store_failed',
        cause,
      );
    }
  }

  private sealed({ requestId, tenant, term, content }: Waiting, nowMs: number): ArchiveEntry {
    const sealed = this.deps.vault.seal(content, { tenant, requestId });
    return { requestId, tenant, archivedAtMs: nowMs, expiresAtMs: nowMs + retentionMsOf(term), sealed };
  }
}

function batchLength(waiting: readonly Waiting[]): number {
  let characters = 0;
  const tooMuch = waiting.findIndex((interaction, index) => {
    characters += interaction.characters;
    return index > 0 && (index === AT_A_TIME || characters > CHARACTERS_AT_A_TIME);
  });
  return tooMuch < 0 ? waiting.length : tooMuch;
}

function archivedAnswer({ status, text, characters }: WrittenAnswer): ArchivedInteraction['answer'] {
  return { status, ...archivedText(text, characters) };
}
