import { join } from 'node:path';
import { CORE, says, start } from './processes.mjs';

/** Starts the provider at the end of every path (`raw-upstream.mjs`). */
export async function startUpstream() {
  const started = start({ core: CORE.load, args: [join(import.meta.dirname, 'raw-upstream.mjs')] });
  const [, port] = await says(started, /listening on (\d+)/);
  return { port, url: `http://127.0.0.1:${port}` };
}
