import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DependencyContainer } from 'tsyringe';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createContainer, type Overrides } from '../container';
import type { Config } from '../infra/config/config';
import { loadSecretKey } from '../infra/config/secret-key';
import { ConfigurationCache } from '../infra/store/configuration-cache';
import { errorFactsOf } from '../infra/store/error-facts';
import { openSqliteDatabase } from '../infra/store/sqlite/sqlite-database';
import { ClosingSpool } from '../infra/store/spool/closing-spool';
import { SpoolingInteractionStore } from '../infra/store/spool/spooling-interaction-store';
import type { StoreDatabase } from '../infra/store/store-database';
import { TOKEN } from './token';

/** For interactions that were told to end; a store that hangs is given up before. */
const LAST_CLOSINGS_MS = 6_000;

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
  // Every wait before an attempt listens to it.
  setMaxListeners(0, shutdown.signal);
  const secretKey = loadSecretKey(config.secretKey, config.dataDir);
  const given = { config, logger, database, secretKey, shutdown: shutdown.signal };
  const container = createContainer(given, overrides);
  await container.resolve(ConfigurationCache).load();
  return {
    container,
    shutdown,
    close: async () => {
      await lastClosings(container);
      await database.close();
    },
  };
}

/** Every interaction has its closing record in the store, or on disk for the next start. */
async function lastClosings(container: DependencyContainer): Promise<void> {
  const interactions = container.resolve(SpoolingInteractionStore);
  const untilIdle = (): Promise<unknown> =>
    Promise.race([interactions.idle(), sleep(LAST_CLOSINGS_MS, null, { ref: false })]);
  await untilIdle();
  await container.resolve(TOKEN.groupCommit).drain();
  await untilIdle();
  await container.resolve(ClosingSpool).drain();
}
