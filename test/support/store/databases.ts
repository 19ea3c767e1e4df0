import type { OpenStores } from '../../contract/stores';
import { describeOnPostgres } from '../postgres/test-database';
import { postgresStores } from './postgres-stores';
import { openInFile, openInMemory } from './sqlite-stores';

/** Runs a contract on every database that the product runs on. */
export function onEveryDatabase(name: string, contract: (openStores: OpenStores) => void): void {
  describe(`${name} on SQLite in memory`, () => contract(openInMemory));
  describe(`${name} on SQLite in a file`, () => contract(openInFile));
  describeOnPostgres(`${name} on PostgreSQL`, () => {
    const stores = postgresStores();
    afterAll(() => stores.remove());
    contract(stores.open);
  });
}
