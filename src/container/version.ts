import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of the package that is running. */
export const VERSION = (JSON.parse(readFileSync(packageFile(__dirname), 'utf8')) as { version: string })
  .version;

/** The nearest one above: how far away it is depends on whether the product was bundled. */
function packageFile(folder: string): string {
  const file = join(folder, 'package.json');
  return existsSync(file) || dirname(folder) === folder ? file : packageFile(dirname(folder));
}
