import type { Behaviour } from '../../../src/infra/simulator/behaviour';
import type { ReceivedCall } from '../../../src/infra/simulator/call-log';
import { SimulatedProvider } from '../../../src/infra/simulator/simulated-provider';
import type { ProviderWire } from '../../../src/infra/simulator/wire-format';
import { caseOf, TAG, type Mix } from './mix';
import type { ProviderCall } from './provider-call';
import { billedCalls, serveProviders } from './serve-providers';

// Both providers of a mix (`ForkedProviders`).

const mix = JSON.parse(process.argv[2]!) as Mix;

function tagOf({ bodyText }: Pick<ReceivedCall, 'bodyText'>): string {
  return TAG.exec(bodyText)?.[0] ?? '';
}

/** A provider that does with each call of a case what the mix says, wherever the call comes from. */
class MixedProvider {
  private readonly calls = new Map<string, number>();
  private readonly behaviours: Behaviour[] = [];

  constructor(private readonly wire: ProviderWire) {}

  readonly script = (call: ReceivedCall): Behaviour => {
    const tag = tagOf(call);
    const { script, otherwise } = caseOf(mix, Number(tag.slice('case-'.length)));
    const before = this.calls.get(tag) ?? 0;
    this.calls.set(tag, before + 1);
    const behaviour = script[this.wire][before] ?? otherwise;
    this.behaviours[call.index] = behaviour;
    return behaviour;
  };

  /** What it has received and billed, once every call is over. */
  async report(provider: SimulatedProvider): Promise<readonly ProviderCall[]> {
    const calls = await billedCalls(provider, this.wire, tagOf);
    return calls.map((call, index) => ({ ...call, cache: cacheOf(this.behaviours[index]) }));
  }
}

function cacheOf(behaviour: Behaviour | undefined): ProviderCall['cache'] {
  const usage = behaviour?.kind === 'answer' ? behaviour.usage : null;
  return { read: usage?.cacheReadTokens ?? 0, written: usage?.cacheWriteTokens ?? 0 };
}

async function serve(): Promise<void> {
  const mixed = { openai: new MixedProvider('openai'), anthropic: new MixedProvider('anthropic') };
  const start = (wire: ProviderWire) =>
    SimulatedProvider.start({ wire, name: wire, script: mixed[wire].script });
  const openai = await start('openai');
  const anthropic = await start('anthropic');
  serveProviders({ openai: openai.baseUrl, anthropic: anthropic.baseUrl }, async () => [
    ...(await mixed.openai.report(openai)),
    ...(await mixed.anthropic.report(anthropic)),
  ]);
}

void serve();
