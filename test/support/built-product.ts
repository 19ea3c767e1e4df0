import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buildProduct } from './gateway-build';

const PROJECT = join(__dirname, '../..');

export type Environment = Readonly<Record<string, string>>;

/** `schneeai serve` in a process of its own, with nothing in its environment but what is given. */
export class BuiltProduct {
  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    /** Everything that it printed until it was ready. */
    readonly output: string,
  ) {}

  static async start(environment: Environment): Promise<BuiltProduct> {
    const child = spawn(process.execPath, [buildProduct().main, 'serve'], {
      cwd: PROJECT,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    return new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${errors}`)));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        // The welcome is written at once, and ends with an empty line.
        if (/is listening on[^]*\n\n$/.test(output)) resolve(new BuiltProduct(child, output));
      });
    });
  }

  /** Stops it as an operator does. Its exit code; null: it had to be killed. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    const code = await ended;
    clearTimeout(late);
    return code;
  }
}
