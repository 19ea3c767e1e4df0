import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

export type ProcessEnd = Readonly<{
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  errors: string;
}>;

type Environment = Readonly<Record<string, string>>;

/** Nothing of the machine's own environment reaches the product: a real credential there would change what it does. */
function isolated(environment: Environment): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LOG_LEVEL: 'info', ...environment };
}

/** One command of the product in a process of its own. */
export class GatewayProcess {
  private output = '';
  private errors = '';
  private readonly ended: Promise<ProcessEnd>;
  private readonly watching = new Set<() => void>();

  private constructor(private readonly child: ChildProcessByStdio<null, Readable, Readable>) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      for (const look of this.watching) look();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.ended = new Promise((resolve) =>
      child.on('close', (code, signal) =>
        resolve({ code, signal, output: this.output, errors: this.errors }),
      ),
    );
  }

  static spawn(main: string, args: readonly string[], environment: Environment): GatewayProcess {
    const child = spawn(process.execPath, [main, ...args], {
      env: isolated(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new GatewayProcess(child);
  }

  /** Runs a command to its end. */
  static run(main: string, args: readonly string[], environment: Environment): Promise<ProcessEnd> {
    return GatewayProcess.spawn(main, args, environment).ended;
  }

  /** Starts a gateway; resolves with its address as soon as it says that it listens. */
  static async serve(main: string, environment: Environment): Promise<ServingProcess> {
    const process = GatewayProcess.spawn(main, ['serve'], { PORT: '0', ...environment });
    const [, url = ''] = await process.waitFor(/listening on (http:\S+)\n[\s\S]*\n\n/);
    return { process, url, welcome: process.output };
  }

  /** Resolves when the output matches; rejects when the process ends without that. */
  private waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.output);
        if (match === null) return;
        this.watching.delete(look);
        resolve(match);
      };
      this.watching.add(look);
      void this.ended.then(({ errors, output }) => reject(new Error(`It ended: ${errors}${output}`)));
      look();
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  waitForEnd(): Promise<ProcessEnd> {
    return this.ended;
  }

  /** For the end of a test, whatever happened in it. */
  async end(): Promise<void> {
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
    await this.ended;
  }
}

export type ServingProcess = Readonly<{ process: GatewayProcess; url: string; welcome: string }>;

/** A key that the first run has shown. */
export function keyIn(welcome: string, variable: 'SCHNEEAI_KEY' | 'SCHNEEAI_OPERATOR_KEY'): string {
  return new RegExp(`export ${variable}=(\\S+)`).exec(welcome)?.[1] ?? '';
}
