import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const PROJECT = join(__dirname, '../..');
const MAIN = join(PROJECT, 'dist/main.js');

export type Environment = Readonly<Record<string, string>>;

/** Builds the product as `npm start` does, unless it was built after the last change of a source. */
export function buildIfOlderThanSource(): void {
  const builtMs = existsSync(MAIN) ? statSync(MAIN).mtimeMs : 0;
  const changed = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' }).some(
    (file) => file.endsWith('.ts') && statSync(join(PROJECT, 'src', file)).mtimeMs > builtMs,
  );
  if (!changed) return;
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  // A broken build that left its output behind would pass for a fresh one in the next run.
  run([tsc, '-p', 'tsconfig.build.json', '--noEmitOnError']);
  run([join(PROJECT, 'tools/bundle.mjs')]);
}

function run(script: readonly string[]): void {
  const built = spawnSync(process.execPath, script, { cwd: PROJECT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The build failed:\n${built.stdout}${built.stderr}`);
}

/** `schneeai serve` in a process of its own, with nothing in its environment but what is given. */
export class BuiltProduct {
  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    /** Everything that it printed until it was ready. */
    readonly output: string,
  ) {}

  static async start(environment: Environment): Promise<BuiltProduct> {
    const child = spawn(process.execPath, [MAIN, 'serve'], {
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
