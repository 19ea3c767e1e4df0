import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import { errorFactsOf } from '../error-facts';
import type { StoreSchema } from '../schema';
import { lockingSqliteDialect } from './sqlite-dialect';

export type ReadOnlyDatabase = Readonly<{ kysely: Kysely<StoreSchema>; close(): Promise<void> }>;

/** Opens an existing database beside whoever writes it. Nothing is migrated, and no write is possible. */
export function openReadOnlyDatabase(path: string): ReadOnlyDatabase {
  try {
    const connection = new Sqlite(path, { readonly: true, fileMustExist: true });
    const kysely = new Kysely<StoreSchema>({ dialect: lockingSqliteDialect(connection) });
    return { kysely, close: () => kysely.destroy() };
  } catch (error) {
    throw new StoreUnavailable(`${path} can't be read: ${errorFactsOf(error).message}`, { cause: error });
  }
}
