import { join } from 'node:path';

/** What `-r` names, so that a process of its own runs TypeScript. */
export const RUN_SOURCES = join(__dirname, '../../tools/run-sources.cjs');
