import type { ArchivedInteraction } from '../../src/domain/archive/archived-interaction';
import type { ArchiveTerm } from '../../src/domain/archive/archive-term';
import type { RequestId, TenantId } from '../../src/domain/kernel/ids';
import type { ArchiveReport } from '../../src/usecase/port/archive-report';
import type {
  ArchiveEntry,
  ArchivePage,
  ArchivePageRequest,
  ArchiveStore,
} from '../../src/usecase/port/archive-store';
import type { ArchiveVault } from '../../src/usecase/port/archive-vault';
import { StoreUnavailable } from '../../src/usecase/port/store-unavailable';
import type { InMemoryConfiguration } from './in-memory-configuration';

/** An archive in memory with a vault that seals nothing, and all that it reported. */
export class InMemoryArchive implements ArchiveStore {
  readonly entries: ArchiveEntry[] = [];
  /** Requests whose reading is on record. */
  readonly readings: RequestId[] = [];
  readonly reports: unknown[] = [];
  unavailable = false;

  readonly vault: ArchiveVault = {
    seal: (interaction, place) => JSON.stringify({ interaction, place }),
    unseal: (sealed, place) => {
      const opened = JSON.parse(sealed) as { interaction: ArchivedInteraction; place: object };
      return JSON.stringify(opened.place) === JSON.stringify(place) ? opened.interaction : null;
    },
  };

  readonly report: ArchiveReport = {
    stored: (count) => void (count > 0 && this.reports.push(['stored', count])),
    unwanted: (count) => void (count > 0 && this.reports.push(['unwanted', count])),
    lost: (requestIds, reason) => void this.reports.push([reason, requestIds]),
    unreadable: (requestId) => void this.reports.push(['unreadable', requestId]),
  };

  constructor(private readonly configuration: InMemoryConfiguration) {}

  /** What use cases of the archive are made of. */
  get parts(): Readonly<{ store: ArchiveStore; vault: ArchiveVault; report: ArchiveReport }> {
    return { store: this, vault: this.vault, report: this.report };
  }

  async switchOn(id: TenantId, archive: ArchiveTerm): Promise<void> {
    const tenant = this.configuration.tenant(id);
    if (tenant !== undefined) await this.configuration.updateTenant({ ...tenant, archive });
  }

  async switchOff(id: TenantId): Promise<void> {
    const tenant = this.configuration.tenant(id);
    if (tenant !== undefined) await this.configuration.updateTenant({ ...tenant, archive: undefined });
    this.keepOnly((entry) => entry.tenant !== id);
  }

  async add(entries: readonly ArchiveEntry[]): Promise<number> {
    this.mustBeThere();
    const wanted = entries.filter(({ tenant }) => this.configuration.tenant(tenant)?.archive !== undefined);
    this.entries.push(...wanted);
    return wanted.length;
  }

  async list(tenant: TenantId, { after, limit, nowMs }: ArchivePageRequest): Promise<ArchivePage> {
    const all = this.entries
      .filter((entry) => entry.tenant === tenant && entry.expiresAtMs > nowMs)
      .filter(({ requestId }) => after === null || requestId < after)
      .sort((a, b) => (a.requestId < b.requestId ? 1 : -1));
    const entries = all.slice(0, limit);
    return { entries, next: all.length > limit ? (entries.at(-1)?.requestId ?? null) : null };
  }

  async open(tenant: TenantId, requestId: RequestId, nowMs: number): Promise<ArchiveEntry | undefined> {
    this.mustBeThere();
    const found = this.entries.find(
      (entry) => entry.tenant === tenant && entry.requestId === requestId && entry.expiresAtMs > nowMs,
    );
    if (found !== undefined) this.readings.push(requestId);
    return found;
  }

  async purge(nowMs: number, limit: number): Promise<number> {
    const expired = this.entries.filter(({ expiresAtMs }) => expiresAtMs <= nowMs).slice(0, limit);
    this.keepOnly((entry) => !expired.includes(entry));
    return expired.length;
  }

  private keepOnly(isKept: (entry: ArchiveEntry) => boolean): void {
    this.entries.splice(0, this.entries.length, ...this.entries.filter(isKept));
  }

  private mustBeThere(): void {
    if (this.unavailable) throw new StoreUnavailable('the database is gone');
  }
}
