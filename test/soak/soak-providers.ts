import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ChannelUrls } from '../support/gateway-catalog';
import type { ProviderCall } from '../support/money/providers';
import { RUN_SOURCES } from '../support/run-sources';
import type { ProviderFault } from './provider-fault';

export const OPENAI_CREDENTIAL = 'sk-proj-soakOpenAiCredential0123456789abcdefgh';
export const ANTHROPIC_CREDENTIAL = 'sk-ant-api03-soakAnthropicCredential0123456789wxyz';

/** A call with what was done to it. */
export type SoakCall = ProviderCall & Readonly<{ fault: ProviderFault }>;

export type ToProviders = 'account_fault' | 'report';
export type FromProviders =
  (Readonly<{ kind: 'listening' }> & ChannelUrls) | Readonly<{ kind: 'report'; calls: readonly SoakCall[] }>;

/** The simulated providers, which live in a process of their own. */
export class SoakProviders {
  private constructor(
    private readonly child: ChildProcess,
    readonly urls: ChannelUrls,
  ) {}

  static async start(seed: number): Promise<SoakProviders> {
    const child = fork(join(__dirname, 'provider-process.ts'), [String(seed)], {
      execArgv: ['-r', RUN_SOURCES],
    });
    const [message] = (await once(child, 'message')) as [FromProviders];
    if (message.kind !== 'listening') throw new Error('The providers did not say where they listen.');
    return new SoakProviders(child, message);
  }

  /** OpenAI's next answer is that our account is at fault. */
  faultAccount(): void {
    this.tell('account_fault');
  }

  /** Every call since the start, when all of them are over. */
  async calls(): Promise<readonly SoakCall[]> {
    const answer = once(this.child, 'message');
    this.tell('report');
    const [message] = (await answer) as [FromProviders];
    return message.kind === 'report' ? message.calls : [];
  }

  end(): void {
    if (this.child.connected) this.child.disconnect();
  }

  private tell(message: ToProviders): void {
    this.child.send(message);
  }
}
