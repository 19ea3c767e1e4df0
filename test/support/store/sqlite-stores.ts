import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsyncChangeAuthor } from '../../../src/infra/runtime/async-change-author';
import { sha256 } from '../../../src/infra/runtime/sha256';
import { SqlArchiveStore } from '../../../src/infra/store/archive-store';
import { SqlAuditChains } from '../../../src/infra/store/audit-chains';
import { SqlAuditLog } from '../../../src/infra/store/audit-log';
import { SqlAuditRetention } from '../../../src/infra/store/audit-retention';
import { SqlChangeLog } from '../../../src/infra/store/change-log';
import { SqlCatalogStore } from '../../../src/infra/store/catalog-store';
import { ConfigurationCache } from '../../../src/infra/store/configuration-cache';
import { ConfigurationRows } from '../../../src/infra/store/configuration-rows';
import { GroupCommit } from '../../../src/infra/store/group-commit';
import { SqlIdempotencyKeys } from '../../../src/infra/store/idempotency-keys';
import { SqlInteractionStore } from '../../../src/infra/store/interaction-store';
import { SqlOpenInteractions } from '../../../src/infra/store/open-interactions';
import { SqlPolicyStore } from '../../../src/infra/store/policy-store';
import { SqlProviderMinutes } from '../../../src/infra/store/provider-minutes';
import { openSqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import {
  announcementOn,
  configurationConnection,
  interactionCommitter,
  plannerHints,
  type StoreDatabase,
} from '../../../src/infra/store/store-database';
import { SqlTenantStore } from '../../../src/infra/store/tenant-store';
import { SqlUsageReports } from '../../../src/infra/store/usage-reports';
import { SqlWalletStore } from '../../../src/infra/store/wallet-store';
import type { OpenStores, Stores } from '../../contract/stores';
import { chainedChanges, configurationWriter, testChain } from './test-chain';

/** One process's stores on a SQLite database, wired as the composition root does it. */
export async function openSqliteStores(path: string): Promise<Stores> {
  return storesOn(await openSqliteDatabase(path));
}

/** The same on a database that a test looks into by itself. */
export async function storesOn(database: StoreDatabase): Promise<Stores> {
  const author = new AsyncChangeAuthor();
  const db = database.kysely;
  const chain = testChain();
  const writes = new GroupCommit(interactionCommitter(database, chain));
  const configuration = new ConfigurationCache(new ConfigurationRows(db));
  await configuration.load();
  const changes = chainedChanges(configurationConnection(database), chain, author);
  const writer = configurationWriter(changes, configuration, announcementOn(database));
  return {
    interactions: new SqlInteractionStore(writes),
    openInteractions: new SqlOpenInteractions(db),
    idempotencyKeys: new SqlIdempotencyKeys(db),
    auditLog: new SqlAuditLog(db, plannerHints(database)),
    auditChains: new SqlAuditChains(db),
    auditRetention: new SqlAuditRetention({ db, changes, hash: sha256 }),
    changeLog: new SqlChangeLog(db),
    usageReports: new SqlUsageReports(db),
    author,
    tenants: new SqlTenantStore(writer),
    catalog: new SqlCatalogStore(writer),
    wallets: new SqlWalletStore({ db, changes, writer, nowMs: Date.now }),
    archive: new SqlArchiveStore({ db, changes, writer }),
    providerMinutes: new SqlProviderMinutes(db),
    policies: new SqlPolicyStore(db, writer),
    configuration,
    refresh: () => configuration.refresh(),
    async close() {
      await writes.drain();
      await database.close();
    },
  };
}

/** A folder of its own for a test; `remove` deletes it with all that is in it. */
export function temporaryFolder(): Readonly<{ path: string; remove: () => void }> {
  const path = mkdtempSync(join(tmpdir(), 'schneeai-store-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const openInMemory: OpenStores = () => openSqliteStores(':memory:');

export const openInFile: OpenStores = async () => {
  const folder = temporaryFolder();
  const stores = await openSqliteStores(join(folder.path, 'gateway.db'));
  return {
    ...stores,
    async close() {
      await stores.close();
      folder.remove();
    },
  };
};
