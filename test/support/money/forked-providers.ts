import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ChannelUrls } from '../gateway-catalog';
import { RUN_SOURCES } from '../run-sources';
import type { ProviderCall } from './provider-call';

export type FromProviders<Call> =
  (Readonly<{ kind: 'listening' }> & ChannelUrls) | Readonly<{ kind: 'report'; calls: readonly Call[] }>;

/** Both simulated providers in a process of their own, which outlives every kill of a gateway: what they count is never lost. */
export class ForkedProviders<Call extends ProviderCall> {
  private constructor(
    private readonly child: ChildProcess,
    readonly urls: ChannelUrls,
  ) {}

  /** By a script that serves them (`serveProviders`). */
  static async start<Call extends ProviderCall>(
    script: string,
    argument: string,
  ): Promise<ForkedProviders<Call>> {
    const child = fork(script, [argument], { execArgv: ['-r', RUN_SOURCES] });
    const message = await nextMessage(child);
    if (message.kind !== 'listening') throw new Error('The providers did not say where they listen.');
    return new ForkedProviders<Call>(child, message);
  }

  /** Every call so far, when all of them are over. */
  async calls(): Promise<readonly Call[]> {
    const message = nextMessage<Call>(this.child);
    this.tell('report');
    const report = await message;
    return report.kind === 'report' ? report.calls : [];
  }

  /** What else its script obeys. */
  tell(order: string): void {
    this.child.send(order);
  }

  /** Lets them go at once; resolves when they are gone. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    if (this.child.connected) this.child.disconnect();
    await ended;
  }
}

function nextMessage<Call>(child: ChildProcess): Promise<FromProviders<Call>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`The providers ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as FromProviders<Call>);
    });
  });
}
