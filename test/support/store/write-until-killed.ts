import { openSqliteStores } from './sqlite-stores';
import { opening } from './sample-records';

// Opens interactions as fast as it can and prints each id once its write was acknowledged, until somebody kills it.
async function writeUntilKilled(path: string, prefix: string): Promise<void> {
  const stores = await openSqliteStores(path);
  const writer = async (lane: number): Promise<never> => {
    for (let count = 0; ; count += 1) {
      const requestId = `${prefix}_${lane}_${count}`;
      await stores.interactions.open(opening(requestId));
      process.stdout.write(`${requestId}\n`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, lane) => writer(lane)));
}

void writeUntilKilled(process.argv[2]!, process.argv[3]!);
