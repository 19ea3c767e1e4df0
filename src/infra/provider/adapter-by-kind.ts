import type { AdapterKind } from '../../domain/catalog/channel';
import type { Route } from '../../domain/catalog/route';
import type { ChatProvider, ChatProviders } from '../../usecase/port/chat-provider';

/** One adapter for each wire. */
export class AdapterByKind implements ChatProviders {
  constructor(private readonly adapters: Readonly<Record<AdapterKind, ChatProvider>>) {}

  at(route: Route): ChatProvider {
    return this.adapters[route.channel.kind];
  }
}
