import type { ArchivedInteraction } from '../../domain/archive/archived-interaction';
import { termInForce, type ArchiveTerm } from '../../domain/archive/archive-term';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { RequestId, TenantId } from '../../domain/kernel/ids';
import { err, ok, type Result } from '../../domain/kernel/result';
import type { ArchiveReport } from '../port/archive-report';
import type { ArchiveEntryRef, ArchivePage, ArchivePageRequest, ArchiveStore } from '../port/archive-store';
import type { ArchiveVault } from '../port/archive-vault';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';

export type ReadArchiveDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant'>;
  store: Pick<ArchiveStore, 'list' | 'open'>;
  vault: Pick<ArchiveVault, 'unseal'>;
  report: Pick<ArchiveReport, 'unreadable'>;
  clock: Clock;
}>;

/** `term`: the latest one, also where it has ended by itself; null: there is none. */
export type ArchiveState = Readonly<{ archiving: boolean; term: ArchiveTerm | null }>;

export type OpenedEntry = ArchiveEntryRef & Readonly<{ content: ArchivedInteraction }>;

/** What a tenant's archive holds. Lists show ids and times; what was said is shown on record only. */
export class ReadArchive {
  constructor(private readonly deps: ReadArchiveDeps) {}

  state(id: TenantId): ArchiveState {
    const { configuration, clock } = this.deps;
    const archive = configuration.tenant(id)?.archive;
    return { archiving: termInForce({ archive }, clock.nowMs()) !== null, term: archive ?? null };
  }

  list(tenant: TenantId, page: Omit<ArchivePageRequest, 'nowMs'>): Promise<ArchivePage> {
    return this.deps.store.list(tenant, { ...page, nowMs: this.deps.clock.nowMs() });
  }

  async one(tenant: TenantId, requestId: RequestId): Promise<Result<OpenedEntry, GatewayError>> {
    const { store, vault, report, clock } = this.deps;
    const entry = await store.open(tenant, requestId, clock.nowMs());
    if (entry === undefined) return err(notFound(`The archive has no request '${requestId}'.`));
    const { archivedAtMs, expiresAtMs, sealed } = entry;
    const content = vault.unseal(sealed, { tenant, requestId });
    if (content !== null) return ok({ requestId, archivedAtMs, expiresAtMs, content });
    report.unreadable(requestId);
    const reason = 'it was changed, or the secret key of the gateway was';
    return err(notFound(`What was archived of '${requestId}' can't be decrypted: ${reason}.`));
  }
}

function notFound(message: string): GatewayError {
  return { code: 'not_found', message };
}
