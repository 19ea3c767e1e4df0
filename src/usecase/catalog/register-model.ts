import type { Catalog } from '../../domain/catalog/catalog';
import type { Model } from '../../domain/catalog/model';
import type { ModelContract } from '../../domain/catalog/model-contract';
import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { CatalogStore } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';
import { DEFAULT_CONTRACT } from './default-contract';
import type { WriteIntent, Written } from './write-intent';
import { existing, written } from './write-intent';

export type RegisterModelDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  store: Pick<CatalogStore, 'putModel'>;
}>;

export type NewModel = Omit<Model, 'contract'> & Readonly<{ contract: Partial<ModelContract> }>;

/** Writes a public model name into the catalog. */
export class RegisterModel {
  constructor(private readonly deps: RegisterModelDeps) {}

  async execute(wanted: NewModel, intent: WriteIntent): Promise<Result<Written<Model>, GatewayError>> {
    const catalog = this.deps.configuration.catalog();
    const model: Model = { ...wanted, contract: { ...DEFAULT_CONTRACT, ...wanted.contract } };
    const current = catalog.models.get(model.name);
    const conflict = existing(intent, `model '${model.name}'`, current);
    if (conflict !== null) return err(conflict);
    const problems = problemsOf(model, catalog);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });

    await this.deps.store.putModel(model);
    return ok(written(model, current));
  }
}

/** A requested name must stand for one model only, whether it is a name or an alias. */
function problemsOf(model: Model, catalog: Catalog): Problem[] {
  const problems: Problem[] = [];
  if (!catalog.providers.has(model.provider)) {
    problems.push({ field: 'provider', message: `there is no provider '${model.provider}'` });
  }
  const holder = catalog.aliases.get(model.name);
  if (holder !== undefined && holder !== model.name) {
    problems.push({ field: 'name', message: `'${model.name}' is an alias of the model '${holder}'` });
  }
  return [...problems, ...aliasFaults(model, catalog)];
}

function aliasFaults(model: Model, catalog: Catalog): Problem[] {
  return model.aliases.flatMap((alias, index) => {
    const message = aliasFault(alias, model, catalog);
    return message === null ? [] : [{ field: `aliases[${index}]`, message }];
  });
}

function aliasFault(alias: string, model: Model, catalog: Catalog): string | null {
  if (alias === model.name || catalog.models.has(alias)) return `'${alias}' is the name of a model`;
  const holder = catalog.aliases.get(alias);
  return holder === undefined || holder === model.name
    ? null
    : `'${alias}' is an alias of the model '${holder}'`;
}
