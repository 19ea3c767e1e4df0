import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { RUN_SOURCES } from '../run-sources';

export type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a TypeScript file of this folder in a process of its own. */
export function spawnScript(script: string, ...args: string[]): Child {
  return spawn(process.execPath, ['-r', RUN_SOURCES, join(__dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** How the process ended, and everything that it wrote to its error output. */
export function endOf(child: Child): Promise<Readonly<{ code: number | null; errors: string }>> {
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, errors })));
}
