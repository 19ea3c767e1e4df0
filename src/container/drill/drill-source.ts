import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { FirstRun } from '../../delivery/cli/first-run';
import type { Config } from '../../infra/config/config';
import { ConfigurationCache } from '../../infra/store/configuration-cache';
import { ConfigurationRows } from '../../infra/store/configuration-rows';
import type { ReadOnlyDatabase } from '../../infra/store/sqlite/read-only-database';
import type { Configuration } from '../../usecase/port/configuration';
import { StoreUnavailable } from '../../usecase/port/store-unavailable';
import { SetUpCatalog } from '../../usecase/setup/set-up-catalog';
import { openExistingStore, placeOf } from '../existing-store';
import { openStore } from '../open-store';
import { sandboxChannels } from '../starter-channels';
import { TOKEN } from '../token';
import { adminUseCases } from '../usecase-registrations';

export type DrillSource = Readonly<{
  configuration: Configuration;
  /** Where the policies come from. */
  origin: 'store' | 'first_run';
}>;

/** What the real store holds now; where there is none, what a first run would have put there. Nothing is written to it. */
export async function readSource(config: Config, logger: Logger): Promise<DrillSource> {
  const stored = await openExistingStore(config);
  return stored === null
    ? { configuration: await firstRunConfiguration(config, logger), origin: 'first_run' }
    : { configuration: await storedConfiguration(stored, placeOf(config)), origin: 'store' };
}

/** Stays in memory: the drills rehearse one moment of the configuration. */
async function storedConfiguration(database: ReadOnlyDatabase, place: string): Promise<Configuration> {
  try {
    const configuration = new ConfigurationCache(new ConfigurationRows(database.kysely));
    await configuration.load();
    return configuration;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // A drill migrates nothing, so what an older version left may lack what this one asks for.
    const advice = 'If another version of the gateway wrote it, start this one once.';
    throw new StoreUnavailable(`The policies in ${place} can't be read: ${reason}. ${advice}`, { cause });
  } finally {
    await database.close();
  }
}

async function firstRunConfiguration(config: Config, logger: Logger): Promise<Configuration> {
  const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-first-run-'));
  try {
    const { container, close } = await openStore({ ...config, dataDir, databaseUrl: null }, logger);
    const configuration = container.resolve(TOKEN.configuration);
    // Nothing listens there: a drill points every channel elsewhere before anything is sent.
    const nowhere = { baseUrl: () => 'http://127.0.0.1' };
    await container.resolve(SetUpCatalog).execute(sandboxChannels(nowhere));
    await new FirstRun({ configuration, ...adminUseCases(container) }).execute();
    await close();
    return configuration;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
