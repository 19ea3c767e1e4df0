import { setImmediate as nextTurn } from 'node:timers/promises';
import { closing, opening, TENANT } from './sample-records';
import { openSqliteStores } from './sqlite-stores';

// Serves interactions and changes the configuration as fast as it can, and prints each id once its closing was acknowledged,
// until somebody kills it.
async function closeUntilKilled(path: string, prefix: string): Promise<void> {
  const stores = await openSqliteStores(path);
  const serve = async (lane: number): Promise<never> => {
    for (let count = 0; ; count += 1) {
      const requestId = `${prefix}_${lane}_${count}`;
      await stores.interactions.open(opening(requestId));
      await stores.interactions.close(closing(requestId));
      process.stdout.write(`${requestId}\n`);
    }
  };
  const change = async (): Promise<never> => {
    for (let count = 0; ; count += 1) {
      const id = `${prefix}_tenant_${count}`;
      await stores.tenants.insertTenant({ ...TENANT, id, name: id });
      // The embedded store never leaves the event loop by itself.
      await nextTurn();
    }
  };
  await Promise.all([change(), ...Array.from({ length: 8 }, (_, lane) => serve(lane))]);
}

void closeUntilKilled(process.argv[2]!, process.argv[3]!);
