import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../infra/config/config';
import { openReadOnlyDatabase, type ReadOnlyDatabase } from '../infra/store/sqlite/read-only-database';
import { DATABASE_FILE } from './open-store';

/** Where the store is that the settings name; without a password. */
export function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null ? join(dataDir, DATABASE_FILE) : String(databaseUrl);
}

/** Opens the store beside whoever writes it, for a command that changes nothing; null: there is none. Nothing is migrated. */
export async function openExistingStore(config: Config): Promise<ReadOnlyDatabase | null> {
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    const place = placeOf(config);
    return existsSync(place) ? openReadOnlyDatabase(place) : null;
  }
  const { openPostgresForReading } = await import('../infra/store/postgres/postgres-reading.js');
  return openPostgresForReading(databaseUrl);
}
