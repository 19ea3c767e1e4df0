import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createContainer, type Overrides } from '../container';
import type { Config } from '../infra/config/config';
import { loadSecretKey } from '../infra/config/secret-key';
import { ConfigurationCache } from '../infra/store/configuration-cache';
import { errorFactsOf } from '../infra/store/error-facts';
import { openSqliteDatabase } from '../infra/store/sqlite/sqlite-database';
import type { StoreDatabase } from '../infra/store/store-database';
import { TOKEN } from './token';

export const DATABASE_FILE = 'schneeai.db';

/** A container over an opened store, for a command or for a gateway. */
export type OpenStore = Readonly<{
  container: DependencyContainer;
  shutdown: AbortController;
  /** After the last write. */
  close: () => Promise<void>;
}>;

/** Opens the store that the settings name, and migrates it. */
export async function openDatabase(config: Config, logger: Logger): Promise<StoreDatabase> {
  const { databaseUrl: url, databasePoolSize: size, dataDir } = config;
  if (url === null) return openSqliteDatabase(join(dataDir, DATABASE_FILE));
  // Only now: a gateway on the embedded store needn't load this driver (ADR 22).
  const { openPostgresDatabase } = await import('../infra/store/postgres/postgres-database.js');
  // The facts alone: the driver hangs whole connections onto its errors.
  const onLost = (error: unknown): void => logger.warn(errorFactsOf(error), 'connection to the store lost');
  return openPostgresDatabase({ url, size, onLost });
}

/** Opens the store, and reads the configuration into memory. */
export async function openStore(config: Config, logger: Logger, overrides?: Overrides): Promise<OpenStore> {
  const database = await openDatabase(config, logger);
  const shutdown = new AbortController();
  // Every running attempt listens to it.
  setMaxListeners(0, shutdown.signal);
  const secretKey = loadSecretKey(config.secretKey, config.dataDir);
  const given = { config, logger, database, secretKey, shutdown: shutdown.signal };
  const container = createContainer(given, overrides);
  await container.resolve(ConfigurationCache).load();
  return {
    container,
    shutdown,
    close: async () => {
      await container.resolve(TOKEN.groupCommit).drain();
      await database.close();
    },
  };
}
