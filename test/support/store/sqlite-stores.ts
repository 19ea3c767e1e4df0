import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqlAuditLog } from '../../../src/infra/store/audit-log';
import { SqlCatalogStore } from '../../../src/infra/store/catalog-store';
import { ConfigurationCache } from '../../../src/infra/store/configuration-cache';
import { ConfigurationRows } from '../../../src/infra/store/configuration-rows';
import { ConfigurationWriter } from '../../../src/infra/store/configuration-writer';
import { GroupCommit } from '../../../src/infra/store/group-commit';
import { SqlInteractionStore } from '../../../src/infra/store/interaction-store';
import { SqlOpenInteractions } from '../../../src/infra/store/open-interactions';
import { SqlPolicyStore } from '../../../src/infra/store/policy-store';
import { openSqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { SqliteInteractionCommitter } from '../../../src/infra/store/sqlite/sqlite-interaction-committer';
import { SqlTenantStore } from '../../../src/infra/store/tenant-store';
import type { OpenStores, Stores } from '../../contract/stores';

/** One process's stores on a SQLite database, wired as the composition root does it. */
export async function openSqliteStores(path: string): Promise<Stores> {
  const database = await openSqliteDatabase(path);
  const db = database.kysely;
  const writes = new GroupCommit(new SqliteInteractionCommitter(database));
  const configuration = new ConfigurationCache(new ConfigurationRows(db));
  await configuration.load();
  const writer = new ConfigurationWriter(db, configuration);
  return {
    interactions: new SqlInteractionStore(writes),
    openInteractions: new SqlOpenInteractions(db),
    auditLog: new SqlAuditLog(db),
    tenants: new SqlTenantStore(writer),
    catalog: new SqlCatalogStore(writer),
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

export const DATABASES: readonly (readonly [string, OpenStores])[] = [
  ['SQLite in memory', openInMemory],
  ['SQLite in a file', openInFile],
];
