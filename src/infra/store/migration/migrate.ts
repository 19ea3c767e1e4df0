import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import type { StoreSchema } from '../schema';
import { MIGRATIONS } from './migrations';

const MIGRATION_TABLE = 'kysely_migration';

/**
 * Brings the schema up to date, and returns the names of the migrations that this took. The caller holds a lock over all of
 * it, so that processes which start at once follow each other: each dialect has its own.
 */
export async function migrate(db: Kysely<StoreSchema>): Promise<readonly string[]> {
  await refuseNewerSchema(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error instanceof Error) throw error;
  if (error !== undefined) throw new Error('A migration failed.', { cause: error });
  return results.map(({ migrationName }) => migrationName);
}

async function refuseNewerSchema(db: Kysely<StoreSchema>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === MIGRATION_TABLE)) return;
  const applied = await db
    .withTables<{ [MIGRATION_TABLE]: { name: string } }>()
    .selectFrom(MIGRATION_TABLE)
    .select('name')
    .execute();
  const unknown = applied.map((row) => row.name).filter((name) => !(name in MIGRATIONS));
  if (unknown.length === 0) return;
  throw new StoreUnavailable(
    `The store was written by a newer version of the gateway (it has the migration ${unknown.join(', ')}). ` +
      'Start that version again, or restore a backup from before the upgrade.',
  );
}
