import type { Kysely, Transaction } from 'kysely';
import { retentionMsOf, type ArchiveTerm } from '../../domain/archive/archive-term';
import type { RequestId, TenantId } from '../../domain/kernel/ids';
import type {
  ArchiveEntry,
  ArchivePage,
  ArchivePageRequest,
  ArchiveStore,
} from '../../usecase/port/archive-store';
import { archiveEntryOf, archiveRefOf, archiveRowOf } from './archive-row';
import type { ChainedChanges, ChangeFacts } from './chained-changes';
import type { ConfigurationWriter } from './configuration-writer';
import { toJson } from './json-column';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export type ArchiveStoreDeps = Readonly<{
  db: Kysely<StoreSchema>;
  changes: ChainedChanges;
  writer: ConfigurationWriter;
}>;

export class SqlArchiveStore implements ArchiveStore {
  constructor(private readonly deps: ArchiveStoreDeps) {}

  switchOn(tenant: TenantId, term: ArchiveTerm): Promise<void> {
    return this.deps.writer.write({ concept: 'tenant', id: tenant }, async (transaction) => {
      await writeTerm(transaction, tenant, toJson(term));
      const retentionMs = retentionMsOf(term);
      await transaction
        .updateTable('archive_entries')
        .set((entry) => ({ expires_at: entry('archived_at', '+', retentionMs) }))
        .where('tenant', '=', tenant)
        .where((entry) => entry('expires_at', '>', entry('archived_at', '+', retentionMs)))
        .execute();
    });
  }

  switchOff(tenant: TenantId): Promise<void> {
    return this.deps.writer.write({ concept: 'tenant', id: tenant }, async (transaction) => {
      await writeTerm(transaction, tenant, null);
      await transaction.deleteFrom('archive_entries').where('tenant', '=', tenant).execute();
    });
  }

  add(entries: readonly ArchiveEntry[]): Promise<number> {
    return guarded(() =>
      this.deps.db.transaction().execute(async (transaction) => {
        const tenants = new Set(entries.map(({ tenant }) => tenant));
        const archiving = await holdArchiving(transaction, [...tenants].sort());
        const wanted = entries.filter(({ tenant }) => archiving.has(tenant));
        if (wanted.length > 0) {
          await transaction.insertInto('archive_entries').values(wanted.map(archiveRowOf)).execute();
        }
        return wanted.length;
      }),
    );
  }

  list(tenant: TenantId, { after, limit, nowMs }: ArchivePageRequest): Promise<ArchivePage> {
    return guarded(async () => {
      let query = this.deps.db
        .selectFrom('archive_entries')
        .select(['request_id', 'archived_at', 'expires_at'])
        .where('tenant', '=', tenant)
        .where('expires_at', '>', nowMs);
      if (after !== null) query = query.where('request_id', '<', after);
      // One more than asked for tells whether there is a next page.
      const rows = await query
        .orderBy('request_id', 'desc')
        .limit(limit + 1)
        .execute();
      const entries = rows.slice(0, limit).map(archiveRefOf);
      return { entries, next: rows.length > limit ? (entries.at(-1)?.requestId ?? null) : null };
    });
  }

  open(tenant: TenantId, requestId: RequestId, nowMs: number): Promise<ArchiveEntry | undefined> {
    return guarded(() =>
      this.deps.changes.transact(async (transaction, append) => {
        const row = await transaction
          .selectFrom('archive_entries')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('request_id', '=', requestId)
          .where('expires_at', '>', nowMs)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        await append(readingOf(tenant, requestId));
        return archiveEntryOf(row);
      }),
    );
  }

  purge(nowMs: number, limit: number): Promise<number> {
    return guarded(async () => {
      const expired = this.deps.db
        .selectFrom('archive_entries')
        .select('request_id')
        .where('expires_at', '<=', nowMs)
        .orderBy('expires_at')
        .limit(limit);
      const { numDeletedRows } = await this.deps.db
        .deleteFrom('archive_entries')
        .where('request_id', 'in', expired)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    });
  }
}

function readingOf(tenant: TenantId, requestId: RequestId): ChangeFacts {
  return {
    by: null,
    tenant,
    object: { kind: 'archive_entry', id: requestId },
    action: 'read',
    fromVersion: null,
    toVersion: null,
    fields: [],
  };
}

async function writeTerm(
  transaction: Transaction<StoreSchema>,
  tenant: TenantId,
  archive: string | null,
): Promise<void> {
  await transaction.updateTable('tenants').set({ archive }).where('id', '=', tenant).execute();
}

/**
 * Those of the tenants that have a term. Their rows stay locked, in an order that all processes keep to, so that nothing is
 * added behind a tenant who destroys his archive at this moment.
 */
async function holdArchiving(
  transaction: Transaction<StoreSchema>,
  tenants: readonly TenantId[],
): Promise<ReadonlySet<TenantId>> {
  const archiving = new Set<TenantId>();
  for (const tenant of tenants) {
    const { numUpdatedRows } = await transaction
      .updateTable('tenants')
      .set((row) => ({ archive: row.ref('archive') }))
      .where('id', '=', tenant)
      .where('archive', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) archiving.add(tenant);
  }
  return archiving;
}
