import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import { migrate } from '../migration/migrate';
import type { StoreSchema } from '../schema';
import { openingFailure } from './opening-failure';
import { PortableColumns } from './portable-columns';
import { openPool, type PoolOptions } from './postgres-pool';
import { requireSupportedServer } from './server-requirements';
import { storedColumns, type StoredColumns } from './stored-columns';

/** "schnee" in ASCII: nobody else in this database takes this advisory lock. */
const START_LOCK = 0x7363_686e_6565n;

/** An open database, migrated to the newest schema. */
export type PostgresDatabase = Readonly<{
  kind: 'postgres';
  /** For reading, and for writes of a row that no chain knows. */
  kysely: Kysely<StoreSchema>;
  /** One connection, on which the configuration is changed: a lock that another process holds stops nothing else. */
  configuration: Kysely<StoreSchema>;
  /** For the small reads and writes that a request or a probe waits for: never behind what auditors ask. */
  requests: Kysely<StoreSchema>;
  /** One connection, on which interactions are written. */
  interactions: Pool;
  /** What is read on it. */
  columns: StoredColumns;
  /** The migrations that this opening ran. */
  migrated: readonly string[];
  /** Does what only one replica may do at a time; those that start at once follow each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}>;

/** Connects and migrates. Rejects with `StoreUnavailable` and a message for the operator. */
export async function openPostgresDatabase(options: PoolOptions): Promise<PostgresDatabase> {
  const { migrated, columns } = await migrateAlone(options);
  const kysely = kyselyOn(openPool('reading', options));
  const configuration = kyselyOn(openPool('configuration', options));
  const requests = kyselyOn(openPool('requests', options));
  const interactions = openPool('interactions', options);
  return {
    kind: 'postgres',
    kysely,
    configuration,
    requests,
    interactions,
    columns,
    migrated,
    inTurn: (work) => underLock(options, work),
    async close() {
      await Promise.all([kysely.destroy(), configuration.destroy(), requests.destroy(), interactions.end()]);
    },
  };
}

function kyselyOn(pool: Pool): Kysely<StoreSchema> {
  return new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
}

/** From the first look at the schema on, the replicas that start at once follow each other. */
async function migrateAlone(options: PoolOptions): Promise<Pick<PostgresDatabase, 'migrated' | 'columns'>> {
  try {
    return await underLock(options, async (connection) => {
      await requireSupportedServer(connection, String(options.url));
      const migrated = await migrate(connection);
      return { migrated, columns: await storedColumns(connection) };
    });
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(openingFailure(options.url, error), { cause: error });
  }
}

/** On a connection of its own, of which the end also frees the lock, whatever happened. */
async function underLock<T>(
  options: PoolOptions,
  work: (connection: Kysely<StoreSchema>) => Promise<T>,
): Promise<T> {
  const db = kyselyOn(openPool('migration', options)).withPlugin(new PortableColumns());
  try {
    return await db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${START_LOCK})`.execute(connection);
      return work(connection);
    });
  } finally {
    await db.destroy();
  }
}
