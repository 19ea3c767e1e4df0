import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Measured } from '../support/measure-leaks';
import { RUN_SOURCES } from '../support/run-sources';

const SCRIPT = join(__dirname, '../support/measure-leaks.ts');
const LIMIT_MS = 60_000;

/** Runs the measurement in a process of its own and returns what it printed. */
function measured(): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const args = ['--expose-gc', '-r', RUN_SOURCES, SCRIPT];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(output) as Measured);
      else reject(new Error(`It ended with ${code ?? signal}: ${errors}`));
    });
  });
}

describe('500 streams at once, of which a third is left by its caller, again and again', () => {
  let result: Measured;
  beforeAll(async () => {
    result = await measured();
  }, LIMIT_MS);

  it('are each served or cancelled, and on record so', () => {
    expect(result.states).toEqual({ served: 999, cancelled: 501 });
  });

  it('leave no socket and no timer behind', () => {
    expect(result.before.resources).toContain('TCPServerWrap');
    expect(result.after.resources).toEqual(result.before.resources);
    expect(result.after.upstreamSockets).toBe(0);
  });

  it('leave no listener more on the signal that all of them watch', () => {
    expect(result.after.shutdownListeners).toBe(result.before.shutdownListeners);
  });

  it('leave the memory within a tenth of what it was', () => {
    expect(result.after.memoryBytes / result.before.memoryBytes).toBeLessThan(1.1);
  });
});
