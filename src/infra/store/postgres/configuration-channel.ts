import { sql, type Transaction } from 'kysely';
import type { StoreSchema } from '../schema';

/** On which every change of the configuration is told when it is committed. */
export const CONFIGURATION_CHANNEL = 'schneeai_configuration';

/** Says nothing but that something changed: what, everybody reads from the store. */
export async function tellOfChange(transaction: Transaction<StoreSchema>): Promise<void> {
  await sql`select pg_notify(${CONFIGURATION_CHANNEL}, '')`.execute(transaction);
}
