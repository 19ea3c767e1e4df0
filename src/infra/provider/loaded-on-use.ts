import type { Channel } from '../../domain/catalog/channel';
import type { Signal } from '../../domain/resilience/signal';
import type { ChatProvider, ProviderCall, ProviderReply } from '../../usecase/port/chat-provider';
import type { ModelLister } from '../../usecase/port/model-lister';

/**
 * An adapter that is loaded for its first call: an SDK takes a tenth of a second of a start, and memory, and a wire that no
 * request uses needs neither (ADR 22).
 */
export class ProviderLoadedOnUse implements ChatProvider {
  private loading: Promise<ChatProvider> | null = null;

  constructor(private readonly load: () => Promise<ChatProvider>) {}

  async send(call: ProviderCall): Promise<ProviderReply> {
    this.loading ??= this.load();
    const provider = await this.loading;
    return provider.send(call);
  }
}

/** The same for what lists a provider's models. */
export class ModelListerLoadedOnUse implements ModelLister {
  private loading: Promise<ModelLister> | null = null;

  constructor(private readonly load: () => Promise<ModelLister>) {}

  async listModels(channel: Channel, abort: AbortSignal): Promise<Signal | null> {
    this.loading ??= this.load();
    const lister = await this.loading;
    return lister.listModels(channel, abort);
  }
}
