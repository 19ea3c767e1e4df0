import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package that is running. */
export const VERSION = (
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }
).version;
