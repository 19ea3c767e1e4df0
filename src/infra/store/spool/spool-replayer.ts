import type { ClosingRecord } from '../../../domain/audit/audit-record';
import type { AuditLog } from '../../../usecase/port/audit-log';
import type { IncidentLog } from '../../../usecase/port/incident-log';
import type { InteractionStore } from '../../../usecase/port/interaction-store';
import type { SpooledClosings } from '../../../usecase/port/spooled-closings';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import type { ClosingSpool } from './closing-spool';
import type { SpoolFile, SpoolFolder } from './spool-folder';
import type { SpoolObserver } from './spool-observer';

export type SpoolReplayerDeps = Readonly<{
  spool: Pick<ClosingSpool, 'files'>;
  folder: Pick<SpoolFolder, 'read' | 'remove' | 'setAside'>;
  /** The store itself: what fails here stays in the spool by not being removed. */
  store: Pick<InteractionStore, 'close'>;
  auditLog: Pick<AuditLog, 'find'>;
  incidents: Pick<IncidentLog, 'closingNotRecorded' | 'closingSuperseded' | 'spoolDamaged'>;
  observer: Pick<SpoolObserver, 'written'>;
}>;

/**
 * Writes the spool to the store. A record that is there already is left as it is, so a file that was half written, or that two
 * processes write at once, does no harm.
 */
export class SpoolReplayer implements SpooledClosings {
  private running: Promise<void> | null = null;

  constructor(private readonly deps: SpoolReplayerDeps) {}

  writeAll(): Promise<void> {
    this.running ??= this.replayAll().finally(() => (this.running = null));
    return this.running;
  }

  private async replayAll(): Promise<void> {
    const { spool } = this.deps;
    const files = await spool.files();
    if (files.length === 0) return;
    for (const file of files) await this.replay(file);
    await spool.files();
  }

  private async replay(file: SpoolFile): Promise<void> {
    const { folder, incidents, observer } = this.deps;
    const content = await folder.read(file);
    if (content === null) return;
    await Promise.all(content.closings.map((closing) => this.write(closing)));
    if (content.damagedLines === 0) await folder.remove(file);
    else incidents.spoolDamaged(await folder.setAside(file), content.damagedLines);
    observer.written(content.closings.length);
  }

  private async write(closing: ClosingRecord): Promise<void> {
    try {
      const outcome = await this.deps.store.close(closing);
      if (outcome === 'already_closed') await this.compare(closing);
    } catch (cause) {
      if (cause instanceof StoreUnavailable) throw cause;
      // The store refuses it and always will: it must not hold up the others.
      if (!isUnsent(closing)) this.deps.incidents.closingNotRecorded(closing, cause);
    }
  }

  /** Written before, unless reconciliation was faster: a closed row is never changed, so what we know goes to the operators. */
  private async compare(closing: ClosingRecord): Promise<void> {
    const { auditLog, incidents } = this.deps;
    const record = await auditLog.find(closing.requestId);
    if (record?.state === 'interrupted') incidents.closingSuperseded(closing);
  }
}

/** Its opening may have been written or not; nothing was sent, and its caller was told so. */
function isUnsent({ errorCode, attempts }: ClosingRecord): boolean {
  return errorCode === 'audit_unavailable' && attempts === 0;
}
