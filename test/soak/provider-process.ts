import type { Behaviour } from '../../src/infra/simulator/behaviour';
import type { ReceivedCall } from '../../src/infra/simulator/call-log';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import type { ProviderWire } from '../../src/infra/simulator/wire-format';
import { Draws } from '../support/money/draws';
import { billedCalls, serveProviders } from '../support/money/serve-providers';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL } from '../support/simulated-providers';
import { BEHAVIOURS, faultOf, type ProviderFault } from './provider-fault';
import { ACCOUNT_FAULT, type SoakCall } from './soak-call';
import { tagIn } from './question';

// Both providers of a soak (`ForkedProviders`). Its argument is the seed.

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
    const calls = await billedCalls(provider, this.wire, ({ bodyText }) => tagIn(bodyText));
    return calls.map((call, index) => ({ ...call, fault: this.faults[index] ?? 'none' }));
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
  serveProviders(
    { openai: atOpenAi.baseUrl, anthropic: atAnthropic.baseUrl },
    async () => [...(await openai.report(atOpenAi)), ...(await anthropic.report(atAnthropic))],
    (order) => {
      if (order === ACCOUNT_FAULT) openai.doNext('account');
    },
  );
}

void serve(Number(process.argv[2]));
