import type { Catalog } from '../../domain/catalog/catalog';
import type { ChannelId } from '../../domain/kernel/ids';
import { isJsonObject } from '../../domain/kernel/json';
import { behaviourOf } from '../../infra/drill/simulated-act';
import type { ReceivedCall } from '../../infra/simulator/call-log';
import { SimulatedProvider } from '../../infra/simulator/simulated-provider';
import type { ProviderAct, SeenCall } from '../../usecase/port/rehearsal-stage';

const ENDED: Readonly<Record<ReceivedCall['state'], SeenCall['ended']>> = {
  finished: 'complete',
  closed_by_peer: 'by_gateway',
  closed_by_provider: 'by_provider',
  open: 'open',
};

/** One simulated provider per channel: an account of its own, with its calls and its bill. */
export class SimulatedProviders {
  private constructor(private readonly byChannel: ReadonlyMap<ChannelId, SimulatedProvider>) {}

  static async start(catalog: Catalog, apiKey: string): Promise<SimulatedProviders> {
    const started = [...catalog.channels.values()].map(async (channel) => {
      const { id, kind, provider } = channel;
      return [id, await SimulatedProvider.start({ wire: kind, name: provider, apiKey })] as const;
    });
    return new SimulatedProviders(new Map(await Promise.all(started)));
  }

  baseUrl(channel: ChannelId): string {
    return this.at(channel).baseUrl;
  }

  reset(): void {
    for (const provider of this.byChannel.values()) provider.reset();
  }

  direct(channel: ChannelId, acts: readonly ProviderAct[]): void {
    const behaviours = acts.map(behaviourOf);
    const standing = behaviours.pop();
    if (standing === undefined) return;
    this.at(channel).enqueue(...behaviours);
    this.at(channel).setBehaviour(standing);
  }

  /** Resolves when a call has reached any of them. */
  async firstCall(): Promise<void> {
    await Promise.race(this.all((provider) => provider.waitForCalls(1)));
  }

  /** Resolves when any of them has begun to send the body of its first answer. */
  async firstBytes(): Promise<void> {
    await Promise.race(this.all((provider) => provider.waitForBytes(0, 1)));
  }

  /** Resolves when no call is under way any more. */
  async quiet(): Promise<void> {
    await Promise.all(
      this.all((provider) => Promise.all(provider.received.map(({ index }) => provider.waitForClose(index)))),
    );
  }

  /** Everything that reached them since the last reset; `leftAtMs`: when the caller hung up, or null. */
  calls(leftAtMs: number | null): readonly SeenCall[] {
    return [...this.byChannel].flatMap(([channel, provider]) =>
      provider.received.map((call) => seenCall(channel, provider, call, leftAtMs)),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.all((provider) => provider.stop()));
  }

  private all<T>(ask: (provider: SimulatedProvider) => T): readonly T[] {
    return [...this.byChannel.values()].map(ask);
  }

  private at(channel: ChannelId): SimulatedProvider {
    const provider = this.byChannel.get(channel);
    if (provider === undefined) throw new Error(`There is no simulated provider for the channel ${channel}.`);
    return provider;
  }
}

function seenCall(
  channel: ChannelId,
  provider: SimulatedProvider,
  call: ReceivedCall,
  leftAtMs: number | null,
): SeenCall {
  const charge = provider.charges.calls.find(({ callIndex }) => callIndex === call.index);
  const body = isJsonObject(call.body) ? call.body : {};
  const { closedAtMs } = call;
  return {
    channel,
    upstreamName: typeof body.model === 'string' ? body.model : '',
    body,
    ended: ENDED[call.state],
    endedAfterLeavingMs: leftAtMs === null || closedAtMs === undefined ? null : closedAtMs - leftAtMs,
    charge: charge === undefined ? null : charge,
  };
}
