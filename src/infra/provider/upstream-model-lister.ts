import type { Channel } from '../../domain/catalog/channel';
import type { Signal } from '../../domain/resilience/signal';
import type { ModelLister } from '../../usecase/port/model-lister';
import type { ChannelClient } from './transport/channel-clients';
import type { CredentialResolver } from './transport/credential-resolver';
import { signalOfStatus } from './transport/error-body';
import { signalOfThrown } from './transport/thrown-signal';
import { UpstreamExchange } from './transport/upstream-exchange';
import type { UpstreamTransport } from './transport/upstream-transport';

export type UpstreamModelListerDeps = Readonly<{
  upstream: UpstreamTransport;
  credentials: CredentialResolver;
  /** Those of the official SDK of one wire. */
  clients: Readonly<{
    of(channel: Channel, credential: string): Pick<ChannelClient<unknown>, 'headOf' | 'redactor'>;
  }>;
}>;

/** Asks an upstream for its models. Of a list only the headers are waited for: it can be long, and nobody reads it. */
export class UpstreamModelLister implements ModelLister {
  constructor(private readonly deps: UpstreamModelListerDeps) {}

  async listModels(channel: Channel, abort: AbortSignal): Promise<Signal | null> {
    const { upstream, credentials, clients } = this.deps;
    const credential = await credentials.resolve(channel.credentialRef);
    if (!credential.ok) return credential.error;
    const client = clients.of(channel, credential.value);
    const exchange = new UpstreamExchange(abort);
    try {
      await upstream.send(exchange, await client.headOf('models'), { headers: {}, body: null });
    } catch (error) {
      return signalOfThrown(error, exchange);
    }
    const signal = await signalOfStatus(exchange, client.redactor);
    if (signal === null) exchange.cut();
    return signal;
  }
}
