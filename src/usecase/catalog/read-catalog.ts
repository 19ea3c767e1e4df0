import type { Catalog } from '../../domain/catalog/catalog';
import type { Channel } from '../../domain/catalog/channel';
import type { Model } from '../../domain/catalog/model';
import type { Offering } from '../../domain/catalog/offering';
import type { OfferingChecks } from '../../domain/catalog/offering-checks';
import type { Provider } from '../../domain/catalog/provider';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { ChannelId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogKind } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';

export type CatalogEntry = { provider: Provider; channel: Channel; model: Model; offering: Offering };

/** What is registered of one kind, in the order of registration. */
export class ReadCatalog {
  constructor(private readonly configuration: Pick<Configuration, 'catalog'>) {}

  all<K extends CatalogKind>(kind: K): readonly CatalogEntry[K][] {
    return [...entriesOf(this.configuration.catalog(), kind).values()];
  }

  one<K extends CatalogKind>(kind: K, id: string): Result<CatalogEntry[K], GatewayError> {
    return entryOf(this.configuration.catalog(), kind, id);
  }

  /** What verifications saw of a channel's offerings as they are now; an offering that was never verified is missing. */
  checksOf(channel: ChannelId): Result<readonly OfferingChecks[], GatewayError> {
    const catalog = this.configuration.catalog();
    const entry = entryOf(catalog, 'channel', channel);
    if (!entry.ok) return entry;
    return ok([...catalog.checks.values()].filter(({ subject }) => subject.channel === channel));
  }
}

export function entryOf<K extends CatalogKind>(
  catalog: Catalog,
  kind: K,
  id: string,
): Result<CatalogEntry[K], GatewayError> {
  const entry = entriesOf(catalog, kind).get(id);
  return entry === undefined
    ? err({ code: 'not_found', message: `There is no ${kind} '${id}'.` })
    : ok(entry);
}

type Entries = { readonly [K in CatalogKind]: (catalog: Catalog) => ReadonlyMap<string, CatalogEntry[K]> };

const ENTRIES: Entries = {
  provider: (catalog) => catalog.providers,
  channel: (catalog) => catalog.channels,
  model: (catalog) => catalog.models,
  offering: (catalog) => catalog.offerings,
};

function entriesOf<K extends CatalogKind>(catalog: Catalog, kind: K): ReadonlyMap<string, CatalogEntry[K]> {
  return ENTRIES[kind](catalog);
}
