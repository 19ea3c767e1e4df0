import type { Transaction } from 'kysely';
import type { Channel } from '../../domain/catalog/channel';
import type { Model } from '../../domain/catalog/model';
import type { Offering } from '../../domain/catalog/offering';
import type { OfferingChecks } from '../../domain/catalog/offering-checks';
import type { Provider } from '../../domain/catalog/provider';
import type { CatalogKind, CatalogStore } from '../../usecase/port/catalog-store';
import { channelRowOf, modelRowOf, offeringRowOf, providerRowOf, type Registered } from './catalog-row';
import type { ConfigurationWriter } from './configuration-writer';
import { offeringChecksRowOf } from './offering-checks-row';
import type { StoreSchema } from './schema';

const TABLE = {
  provider: 'providers',
  channel: 'channels',
  model: 'models',
  offering: 'offerings',
} as const satisfies Record<CatalogKind, keyof StoreSchema>;

export class SqlCatalogStore implements CatalogStore {
  constructor(private readonly writer: ConfigurationWriter) {}

  putProvider(provider: Provider): Promise<void> {
    return this.put('provider', provider.id, (sequence) => providerRowOf(provider, sequence));
  }

  putChannel(channel: Channel): Promise<void> {
    return this.put('channel', channel.id, (sequence) => channelRowOf(channel, sequence));
  }

  putModel(model: Model): Promise<void> {
    return this.put('model', model.name, (sequence) => modelRowOf(model, sequence));
  }

  putOffering(offering: Offering): Promise<void> {
    return this.put('offering', offering.id, (sequence) => offeringRowOf(offering, sequence));
  }

  putChecks(checks: OfferingChecks): Promise<void> {
    const { id, ...replaced } = offeringChecksRowOf(checks);
    return this.writer.write({ concept: 'offering_checks', id }, async (transaction) => {
      await transaction
        .insertInto('offering_checks')
        .values({ id, ...replaced })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(replaced))
        .execute();
    });
  }

  remove(kind: CatalogKind, id: string): Promise<void> {
    return this.writer.write({ concept: kind, id }, async (transaction) => {
      await transaction.deleteFrom(TABLE[kind]).where('id', '=', id).execute();
    });
  }

  private put(kind: CatalogKind, id: string, rowAt: (sequence: number) => Registered): Promise<void> {
    return this.writer.write({ concept: kind, id }, (transaction, sequence) =>
      upsert(transaction, kind, rowAt(sequence)),
    );
  }
}

/** All but the place in the order is replaced. */
async function upsert(
  transaction: Transaction<StoreSchema>,
  kind: CatalogKind,
  row: Registered,
): Promise<void> {
  const { id: _id, registered: _registered, ...replaced } = row;
  await transaction
    // The four tables share what is said here: an id, and a row of the kind's own columns.
    .withTables<{ [K in (typeof TABLE)[CatalogKind]]: Registered }>()
    .insertInto(TABLE[kind])
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(replaced))
    .execute();
}
