import { buildCatalog, type Catalog, type CatalogEntries } from '../../domain/catalog/catalog';
import type { OfferingChecks } from '../../domain/catalog/offering-checks';
import type { OfferingId } from '../../domain/kernel/ids';
import type { CatalogKind } from '../../usecase/port/catalog-store';
import type { Registered } from './catalog-row';

type Entry<T> = Readonly<{ registered: number; value: T }>;
type ValueOf = {
  provider: CatalogEntries['providers'][number];
  channel: CatalogEntries['channels'][number];
  model: CatalogEntries['models'][number];
  offering: CatalogEntries['offerings'][number];
};

/** The catalog's entries, and the index that is built of them when it is asked for after a change, not at every change. */
export class CatalogIndex {
  private readonly entries: { readonly [K in CatalogKind]: Map<string, Entry<ValueOf[K]>> } = {
    provider: new Map(),
    channel: new Map(),
    model: new Map(),
    offering: new Map(),
  };
  private readonly checks = new Map<OfferingId, OfferingChecks>();
  private built: Catalog | null = null;

  put<K extends CatalogKind>(kind: K, row: Registered, value: ValueOf[K]): void {
    this.entries[kind].set(row.id, { registered: row.registered, value });
    this.built = null;
  }

  remove(kind: CatalogKind, id: string): void {
    this.entries[kind].delete(id);
    this.built = null;
  }

  putChecks(checks: OfferingChecks): void {
    this.checks.set(checks.offering, checks);
    this.built = null;
  }

  removeChecks(offering: OfferingId): void {
    this.checks.delete(offering);
    this.built = null;
  }

  catalog(): Catalog {
    this.built ??= buildCatalog({
      providers: inOrder(this.entries.provider),
      channels: inOrder(this.entries.channel),
      models: inOrder(this.entries.model),
      offerings: inOrder(this.entries.offering),
      checks: [...this.checks.values()],
    });
    return this.built;
  }
}

/** In the order of registration, which is not that of the map once an entry was removed and added again elsewhere. */
function inOrder<T>(entries: ReadonlyMap<string, Entry<T>>): T[] {
  return [...entries.values()]
    .sort((one, other) => one.registered - other.registered)
    .map((entry) => entry.value);
}
