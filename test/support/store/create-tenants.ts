import { TENANT } from './sample-records';
import { openSqliteStores } from './sqlite-stores';

// Opens the store (several of these at once, on a file that may not exist yet) and writes some tenants and interactions.
async function createTenants(path: string, prefix: string, count: number): Promise<void> {
  const stores = await openSqliteStores(path);
  for (let number = 0; number < count; number += 1) {
    const id = `${prefix}_${number}`;
    await stores.tenants.insertTenant({ ...TENANT, id, name: id });
  }
  await stores.close();
}

void createTenants(process.argv[2]!, process.argv[3]!, Number(process.argv[4]));
