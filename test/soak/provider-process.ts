import type { Behaviour } from '../../src/infra/simulator/behaviour';
import type { ReceivedCall } from '../../src/infra/simulator/call-log';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import type { ProviderWire } from '../../src/infra/simulator/wire-format';
import { Draws } from '../support/money/draws';
import { BEHAVIOURS, faultOf, type ProviderFault } from './provider-fault';
import {
  ANTHROPIC_CREDENTIAL,
  OPENAI_CREDENTIAL,
  type FromProviders,
  type SoakCall,
  type ToProviders,
} from './soak-providers';
import { tagIn } from './question';

// Both simulated providers, in a process that survives whatever happens to the gateways: what they count is never lost. Its
// argument is the seed; it ends with its parent.

/** A provider that draws what it does to each call, and knows afterwards what that was. */
class MoodyProvider {
  private readonly faults: ProviderFault[] = [];
  private next: ProviderFault | null = null;

  constructor(
    private readonly wire: ProviderWire,
    private readonly draws: Draws,
  ) {}

  readonly script = ({ index, body }: ReceivedCall): Behaviour => {
    const fault = this.next ?? faultOf(body, this.draws);
    this.next = null;
    this.faults[index] = fault;
    return BEHAVIOURS[fault];
  };

  doNext(fault: ProviderFault): void {
    this.next = fault;
  }

  /** What it has received and billed, once every call is over. */
  async report(provider: SimulatedProvider): Promise<readonly SoakCall[]> {
    const calls = provider.received;
    await Promise.all(calls.map(({ index }) => provider.waitForClose(index)));
    // What broke off is billed in the turn after its socket has closed.
    await new Promise(setImmediate);
    const charged = new Map(provider.charges.calls.map((charge) => [charge.callIndex, charge]));
    return calls.map((call) => ({
      provider: this.wire,
      tag: tagIn(call.bodyText),
      clientRequestId: String(call.headers['x-client-request-id'] ?? ''),
      requestId: call.requestId,
      atMs: call.atMs,
      fault: this.faults[call.index] ?? 'none',
      charge: charged.get(call.index) ?? null,
    }));
  }
}

async function serve(seed: number): Promise<void> {
  const openai = new MoodyProvider('openai', new Draws(seed));
  const anthropic = new MoodyProvider('anthropic', new Draws(seed + 1));
  const start = (wire: ProviderWire, apiKey: string, { script }: MoodyProvider) =>
    SimulatedProvider.start({ wire, name: wire, apiKey, script });
  const [atOpenAi, atAnthropic] = await Promise.all([
    start('openai', OPENAI_CREDENTIAL, openai),
    start('anthropic', ANTHROPIC_CREDENTIAL, anthropic),
  ]);
  const tell = (message: FromProviders): void => void process.send?.(message);
  process.on('message', (message: ToProviders) => {
    if (message === 'account_fault') return openai.doNext('account');
    void Promise.all([openai.report(atOpenAi), anthropic.report(atAnthropic)]).then((calls) =>
      tell({ kind: 'report', calls: calls.flat() }),
    );
  });
  process.on('disconnect', () => process.exit());
  tell({ kind: 'listening', openai: atOpenAi.baseUrl, anthropic: atAnthropic.baseUrl });
}

void serve(Number(process.argv[2]));
