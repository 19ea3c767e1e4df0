import type { JsonObject } from '../../../../domain/kernel/json';
import type { CatalogKind } from '../../../../usecase/port/catalog-store';
import type { CatalogEntry, ReadCatalog } from '../../../../usecase/catalog/read-catalog';
import type { RemoveCatalogEntry } from '../../../../usecase/catalog/remove-catalog-entry';
import type { Written } from '../../../../usecase/catalog/write-intent';
import type { AdminResult, AdminRoute } from '../admin-route';
import { listed, param, plain, replied } from '../admin-route';

export type EntryUseCases = Readonly<{ readCatalog: ReadCatalog; removeCatalogEntry: RemoveCatalogEntry }>;

/** Reading and removing, which is the same for every kind of catalog entry. */
export function entryRoutes<K extends CatalogKind>(
  kind: K,
  present: (entry: CatalogEntry[K]) => JsonObject,
  { readCatalog, removeCatalogEntry }: EntryUseCases,
): readonly AdminRoute[] {
  const path = `/${kind}s/{${kind}}`;
  return [
    {
      method: 'get',
      path: `/${kind}s`,
      scope: 'operator',
      summary: `List the ${kind}s`,
      ...plain(async () => listed(readCatalog.all(kind).map(present))),
    },
    {
      method: 'get',
      path,
      scope: 'operator',
      summary: `Read one ${kind}`,
      ...plain(async (request) => {
        const entry = readCatalog.one(kind, param(request, kind));
        return entry.ok ? replied(200, present(entry.value)) : entry;
      }),
    },
    {
      method: 'delete',
      path,
      scope: 'operator',
      summary: `Remove a ${kind} that nothing refers to`,
      ...plain(async (request) => {
        const removed = await removeCatalogEntry.execute(kind, param(request, kind));
        return removed.ok ? replied(204, null) : removed;
      }),
    },
  ];
}

export function writtenReply<T>(
  { entry, outcome }: Written<T>,
  present: (entry: T) => JsonObject,
): AdminResult {
  return replied(outcome === 'created' ? 201 : 200, present(entry));
}
