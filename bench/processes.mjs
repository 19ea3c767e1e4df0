/** Starts processes, pinned where `taskset` exists, and ends every one of them by its pid, however the bench ends. */
import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { end } from './database.mjs';

const running = new Set();
const PINNING = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Gateway and limit on one core, upstream and load on the other. */
export const CORE = { measured: 0, load: 1 };
export const pinning = PINNING ? 'pinned' : 'not pinned';

export function pinSelf(core) {
  if (PINNING) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(process.pid)]);
}

/**
 * @param {{ core: number, args: string[], env?: object, log?: string, stderr?: 'shown' | 'log' }} options `log`: a file for what it prints; without
 * one it is collected in `output`
 */
export function start({ core, args, env = {}, log, stderr = 'shown' }) {
  const [command, before] = PINNING
    ? ['taskset', ['-c', String(core), process.execPath]]
    : [process.execPath, []];
  const output = log === undefined ? 'pipe' : openSync(log, 'a');
  const child = spawn(command, [...before, ...args], {
    // Nothing of the machine's own environment: a credential there would change what the gateway does.
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', output, stderr === 'log' ? output : 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const started = { pid: child.pid, child, ended, output: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (started.output += text));
  running.add(child);
  child.once('exit', () => running.delete(child));
  return started;
}

/** Waits for a line that it prints. */
export async function says(started, pattern) {
  for (;;) {
    const match = pattern.exec(started.output);
    if (match !== null) return match;
    if (started.child.exitCode !== null) throw new Error(`A process ended too early: ${started.output}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function stop(started, signal = 'SIGKILL') {
  started.child.kill(signal);
  await started.ended;
}

function endAll() {
  for (const child of running) process.kill(child.pid, 'SIGKILL');
  running.clear();
}

/** Whatever ends the bench ends its processes first; then `cleanUp` removes what they wrote. */
export function endEverythingOnExit(cleanUp) {
  process.on('exit', () => {
    endAll();
    cleanUp();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(130));
}
