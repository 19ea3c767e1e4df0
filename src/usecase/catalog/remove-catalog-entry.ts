import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogKind, CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import { referencesTo } from './catalog-references';
import { entryOf } from './read-catalog';

export type RemoveCatalogEntryDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog' | 'tenants' | 'policiesOf'>;
  store: Pick<CatalogStore, 'remove'>;
}>;

/** Takes an entry out of the catalog, unless something refers to it. */
export class RemoveCatalogEntry {
  constructor(private readonly deps: RemoveCatalogEntryDeps) {}

  async execute(kind: CatalogKind, id: string): Promise<Result<void, GatewayError>> {
    const { configuration, store } = this.deps;
    const entry = entryOf(configuration.catalog(), kind, id);
    if (!entry.ok) return entry;
    const references = referencesTo(kind, id, configuration);
    if (references.length > 0) return err(inUse(kind, id, references));

    await store.remove(kind, id);
    return ok(undefined);
  }
}

function inUse(kind: CatalogKind, id: string, references: readonly string[]): GatewayError {
  const message = `The ${kind} '${id}' can not be removed while it is used by ${references.join(', ')}.`;
  return { code: 'conflict', message, param: kind };
}
