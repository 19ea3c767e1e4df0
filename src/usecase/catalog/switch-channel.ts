import type { Channel } from '../../domain/catalog/channel';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { ChannelId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';

export type SwitchChannelDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  store: Pick<CatalogStore, 'putChannel'>;
}>;

/** Takes a channel out of every plan, or back in. */
export class SwitchChannel {
  constructor(private readonly deps: SwitchChannelDeps) {}

  async execute(id: ChannelId, to: 'enabled' | 'disabled'): Promise<Result<Channel, GatewayError>> {
    const channel = this.deps.configuration.catalog().channels.get(id);
    if (channel === undefined) return err({ code: 'not_found', message: `There is no channel '${id}'.` });

    const switched = { ...channel, enabled: to === 'enabled' };
    await this.deps.store.putChannel(switched);
    return ok(switched);
  }
}
