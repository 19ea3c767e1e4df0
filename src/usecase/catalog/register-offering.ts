import type { Catalog } from '../../domain/catalog/catalog';
import type { Offering } from '../../domain/catalog/offering';
import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { OfferingId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import type { IdGenerator } from '../port/id-generator';
import type { WriteIntent, Written } from './write-intent';
import { existing, written } from './write-intent';

export type RegisterOfferingDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  store: Pick<CatalogStore, 'putOffering'>;
  ids: IdGenerator;
}>;

export type NewOffering = Omit<Offering, 'id'> & Readonly<{ id: OfferingId | null }>;

/** Writes "this channel serves this model under this upstream name at this price" into the catalog. */
export class RegisterOffering {
  constructor(private readonly deps: RegisterOfferingDeps) {}

  async execute(wanted: NewOffering, intent: WriteIntent): Promise<Result<Written<Offering>, GatewayError>> {
    const { configuration, store, ids } = this.deps;
    const catalog = configuration.catalog();
    const offering: Offering = { ...wanted, id: wanted.id ?? ids.next('off') };
    const current = catalog.offerings.get(offering.id);
    const conflict =
      existing(intent, `offering '${offering.id}'`, current) ?? sameOffering(offering, catalog);
    if (conflict !== null) return err(conflict);
    const problems = problemsOf(offering, catalog);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });

    await store.putOffering(offering);
    return ok(written(offering, current));
  }
}

/** Twice the same would be two circuits and two prices for one thing. */
function sameOffering({ id, channel, model, upstreamName }: Offering, catalog: Catalog): GatewayError | null {
  const twin = [...catalog.offerings.values()].find(
    (other) =>
      other.id !== id &&
      other.channel === channel &&
      other.model === model &&
      other.upstreamName === upstreamName,
  );
  if (twin === undefined) return null;
  return {
    code: 'conflict',
    message: `The offering '${twin.id}' says the same already.`,
    param: 'upstream_name',
  };
}

function problemsOf(offering: Offering, catalog: Catalog): Problem[] {
  const problems: Problem[] = [];
  if (!catalog.channels.has(offering.channel)) {
    problems.push({ field: 'channel', message: `there is no channel '${offering.channel}'` });
  }
  if (!catalog.models.has(offering.model)) {
    problems.push({ field: 'model', message: `there is no model '${offering.model}'` });
  }
  return problems;
}
