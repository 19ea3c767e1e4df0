import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createContainer, type Overrides } from '../container';
import type { Config } from '../infra/config/config';
import { loadSecretKey } from '../infra/config/secret-key';
import { ConfigurationCache } from '../infra/store/configuration-cache';
import { openSqliteDatabase } from '../infra/store/sqlite/sqlite-database';
import { TOKEN } from './token';

export const DATABASE_FILE = 'schneeai.db';

/** A container over an opened store, for a command or for a gateway. */
export type OpenStore = Readonly<{
  container: DependencyContainer;
  shutdown: AbortController;
  /** After the last write. */
  close: () => Promise<void>;
}>;

/** Opens the embedded store, migrates it, and reads the configuration into memory. */
export async function openStore(config: Config, logger: Logger, overrides?: Overrides): Promise<OpenStore> {
  const database = await openSqliteDatabase(join(config.dataDir, DATABASE_FILE));
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
