import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Charge } from '../../../src/infra/simulator/charge';
import type { ProviderWire } from '../../../src/infra/simulator/wire-format';
import type { ChannelUrls } from '../gateway-catalog';
import { RUN_SOURCES } from '../run-sources';
import type { Mix } from './mix';

/** A call as its provider saw it, and what it charges for it. */
export type ProviderCall = Readonly<{
  provider: ProviderWire;
  tag: string;
  /** Empty: this provider takes no id of ours. */
  clientRequestId: string;
  /** The provider's own. */
  requestId: string;
  atMs: number;
  /** Null: nothing. */
  charge: Charge | null;
  /** Parts of the charged input; absent: none. */
  cache?: Readonly<{ read: number; written: number }>;
}>;

export type ProvidersMessage =
  | (Readonly<{ kind: 'listening' }> & ChannelUrls)
  | Readonly<{ kind: 'report'; calls: readonly ProviderCall[] }>;

/** Both simulated providers in a process of their own. */
export class MixedProviders {
  private constructor(
    private readonly child: ChildProcess,
    readonly urls: ChannelUrls,
  ) {}

  static async start(mix: Mix): Promise<MixedProviders> {
    const child = fork(join(__dirname, 'providers-process.ts'), [JSON.stringify(mix)], {
      execArgv: ['-r', RUN_SOURCES],
    });
    const message = await nextMessage(child);
    if (message.kind !== 'listening') throw new Error('The providers did not say where they listen.');
    return new MixedProviders(child, message);
  }

  /** Every call so far, when all of them are over. */
  async calls(): Promise<readonly ProviderCall[]> {
    const message = nextMessage(this.child);
    this.child.send('report');
    const report = await message;
    return report.kind === 'report' ? report.calls : [];
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

function nextMessage(child: ChildProcess): Promise<ProvidersMessage> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`The providers ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as ProvidersMessage);
    });
  });
}
