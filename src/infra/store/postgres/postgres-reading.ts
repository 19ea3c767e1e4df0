import { Kysely, PostgresDialect } from 'kysely';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import type { SecretUrl } from '../../config/secret-url';
import type { StoreSchema } from '../schema';
import { openingFailure } from './opening-failure';
import { openPool } from './postgres-pool';

export type PostgresReading = Readonly<{ kysely: Kysely<StoreSchema>; close(): Promise<void> }>;

/**
 * Opens a database beside whoever writes it; null: no gateway has ever migrated it. Nothing is migrated, and no write is
 * possible. Rejects with `StoreUnavailable` and a message for the operator.
 */
export async function openPostgresForReading(url: SecretUrl): Promise<PostgresReading | null> {
  const pool = openPool('looking', { url, size: 1, onLost: () => undefined });
  const kysely = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { rows } = await pool.query("select 1 from pg_tables where tablename = 'configuration_changes'");
    if (rows.length > 0) return { kysely, close: () => kysely.destroy() };
  } catch (error) {
    await kysely.destroy();
    throw new StoreUnavailable(openingFailure(url, error), { cause: error });
  }
  await kysely.destroy();
  return null;
}
