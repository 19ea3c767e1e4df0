import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** A PostgreSQL server that a test may stop and start again. */
export class OwnServer {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: Interface,
    readonly url: string,
  ) {}

  static async start(): Promise<OwnServer> {
    const child = spawn(process.execPath, [join(__dirname, 'server-process.cjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    return new OwnServer(child, lines, await nextOf(lines));
  }

  /** As an administrator does it: connections are cut, and nothing that was committed is lost. */
  stop(): Promise<void> {
    return this.tell('stop');
  }

  restart(): Promise<void> {
    return this.tell('start');
  }

  async remove(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    await ended;
  }

  private async tell(command: 'stop' | 'start'): Promise<void> {
    const answer = nextOf(this.lines);
    this.child.stdin.write(`${command}\n`);
    await answer;
  }
}

async function nextOf(lines: Interface): Promise<string> {
  const [line] = (await once(lines, 'line')) as [string];
  return line;
}
