import type { AdapterKind, Channel, ChannelOptions } from '../../domain/catalog/channel';
import type { Provider } from '../../domain/catalog/provider';
import type { ChannelId, ProviderId } from '../../domain/kernel/ids';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import type { PriceList } from '../port/price-list';
import { STARTER_MODELS } from './starter-models';

/** Credentials with this prefix are known to the sandbox only, so a channel that has one belongs to it. */
export const SANDBOX_CREDENTIAL_PREFIX = 'sandbox:';

/** A channel that the gateway registers by itself at a start. */
export type StarterChannel = Readonly<{
  id: ChannelId;
  provider: ProviderId;
  providerName: string;
  kind: AdapterKind;
  baseUrl: string;
  credentialRef: string;
  region: string;
}>;

export type SetUpCatalogDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  store: CatalogStore;
  prices: PriceList;
}>;

const PLAIN: ChannelOptions = {
  headers: {},
  organization: null,
  project: null,
  anthropicVersion: null,
  anthropicAuth: 'x-api-key',
};

/**
 * Registers the channels that a start finds credentials or simulators for. What is registered already is the operator's:
 * only the address of a simulator is brought up to date, and a model or offering that he removed doesn't come back. A
 * channel that he removed does, while its credential is there: whoever wants it gone for good switches it off.
 */
export class SetUpCatalog {
  constructor(private readonly deps: SetUpCatalogDeps) {}

  async execute(channels: readonly StarterChannel[]): Promise<void> {
    for (const channel of channels) await this.setUp(channel);
    await this.retireSandbox(new Set(channels.map(({ id }) => id)));
  }

  private async setUp(starter: StarterChannel): Promise<void> {
    const { configuration, store } = this.deps;
    const { id, baseUrl } = starter;
    const known = configuration.catalog().channels.get(id);
    if (known !== undefined) {
      if (isSandbox(known)) await store.putChannel({ ...known, baseUrl, enabled: true });
      return;
    }
    await this.ensureProvider(starter);
    // The channel comes last: a start that dies in between is completed by the next one.
    await this.offerModels(starter);
    await store.putChannel(channelOf(starter));
  }

  private async ensureProvider({ provider, providerName }: StarterChannel): Promise<void> {
    const { configuration, store } = this.deps;
    if (configuration.catalog().providers.has(provider)) return;
    const unstated: Provider['dataPolicy'] = { retentionDays: null, trainsOnData: null };
    await store.putProvider({ id: provider, name: providerName, dataPolicy: unstated });
  }

  private async offerModels({ id, provider }: StarterChannel): Promise<void> {
    const { configuration, store, prices } = this.deps;
    for (const model of STARTER_MODELS) {
      if (model.provider !== provider) continue;
      if (!configuration.catalog().models.has(model.name)) await store.putModel(model);
      await store.putOffering({
        id: `${id}:${model.name}`,
        channel: id,
        model: model.name,
        upstreamName: model.name,
        price: prices.priceOf(provider, model.name),
        contract: {},
        enabled: true,
      });
    }
  }

  /** Simulators of an earlier start are gone, and nothing may be sent to where they were. */
  private async retireSandbox(current: ReadonlySet<ChannelId>): Promise<void> {
    const { configuration, store } = this.deps;
    for (const channel of configuration.catalog().channels.values()) {
      if (!isSandbox(channel) || !channel.enabled || current.has(channel.id)) continue;
      await store.putChannel({ ...channel, enabled: false });
    }
  }
}

/** Whether a channel leads to a simulated provider. */
export function isSandbox(channel: Channel): boolean {
  return channel.credentialRef.startsWith(SANDBOX_CREDENTIAL_PREFIX);
}

function channelOf({ id, provider, kind, baseUrl, credentialRef, region }: StarterChannel): Channel {
  return {
    id,
    provider,
    kind,
    baseUrl,
    credentialRef,
    region,
    group: 'default',
    priority: 0,
    enabled: true,
    options: PLAIN,
  };
}
