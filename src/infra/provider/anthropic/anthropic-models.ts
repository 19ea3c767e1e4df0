import type Anthropic from '@anthropic-ai/sdk';
import type { Channel } from '../../../domain/catalog/channel';
import type { Signal } from '../../../domain/resilience/signal';
import type { ModelLister } from '../../../usecase/port/model-lister';
import type { ChannelClients } from '../transport/channel-clients';
import type { CredentialResolver } from '../transport/credential-resolver';
import { signalOfList } from '../transport/list-models';
import { UpstreamExchange } from '../transport/upstream-exchange';
import type { UpstreamTransport } from '../transport/upstream-transport';
import { anthropicClients } from './anthropic-client';

export type AnthropicModelListerDeps = Readonly<{
  upstream: UpstreamTransport;
  credentials: CredentialResolver;
  /** Ours, for the `user-agent`. */
  version: string;
}>;

/** The models of Messages upstreams, through the official client. */
export class AnthropicModelLister implements ModelLister {
  private readonly clients: ChannelClients<Anthropic>;

  constructor(private readonly deps: AnthropicModelListerDeps) {
    this.clients = anthropicClients(deps.version);
  }

  async listModels(channel: Channel, abort: AbortSignal): Promise<Signal | null> {
    const credential = await this.deps.credentials.resolve(channel.credentialRef);
    if (!credential.ok) return credential.error;
    const client = this.clients.of(channel, credential.value);
    const exchange = new UpstreamExchange(abort);
    return signalOfList(exchange, client.redactor, async () =>
      this.deps.upstream.send(exchange, await client.headOf('models'), { headers: {}, body: null }),
    );
  }
}
