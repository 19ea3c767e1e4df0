import type { Channel } from '../../domain/catalog/channel';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { ChannelId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import type { IdGenerator } from '../port/id-generator';
import { channelFaults } from './channel-faults';
import type { PrivateUrls } from './channel-url';
import type { WriteIntent, Written } from './write-intent';
import { existing, written } from './write-intent';

export type RegisterChannelDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  store: Pick<CatalogStore, 'putChannel'>;
  ids: IdGenerator;
  /** The operator's setting. */
  privateChannelUrls: PrivateUrls;
}>;

export type NewChannel = Omit<Channel, 'id'> & Readonly<{ id: ChannelId | null }>;

/** Writes an account or endpoint at a provider into the catalog. */
export class RegisterChannel {
  constructor(private readonly deps: RegisterChannelDeps) {}

  async execute(wanted: NewChannel, intent: WriteIntent): Promise<Result<Written<Channel>, GatewayError>> {
    const { configuration, store, ids, privateChannelUrls } = this.deps;
    const catalog = configuration.catalog();
    const channel: Channel = { ...wanted, id: wanted.id ?? ids.next('ch') };
    const current = catalog.channels.get(channel.id);
    const conflict = existing(intent, `channel '${channel.id}'`, current);
    if (conflict !== null) return err(conflict);
    const problems = channelFaults(channel, catalog, privateChannelUrls);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });

    await store.putChannel(channel);
    return ok(written(channel, current));
  }
}
