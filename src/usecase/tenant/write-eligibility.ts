import type { Catalog } from '../../domain/catalog/catalog';
import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { ModelName, ProviderId, TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { PiiRules } from '../../domain/pii/pii-rule';
import type { Eligibility } from '../../domain/tenant/eligibility';
import type { Configuration } from '../port/configuration';
import type { TenantStore } from '../port/tenant-store';

export type WriteEligibilityDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant' | 'catalog'>;
  tenants: Pick<TenantStore, 'updateTenant'>;
}>;

/** Replaces a tenant's rules. A rule about what the catalog doesn't hold would silently rule nothing, so it is refused. */
export class WriteEligibility {
  constructor(private readonly deps: WriteEligibilityDeps) {}

  async execute(id: TenantId, eligibility: Eligibility): Promise<Result<Eligibility, GatewayError>> {
    const { configuration, tenants } = this.deps;
    const tenant = configuration.tenant(id);
    if (tenant === undefined) return err({ code: 'not_found', message: `There is no tenant '${id}'.` });
    const problems = problemsOf(eligibility, configuration.catalog());
    if (problems.length > 0) return err({ code: 'unprocessable', problems });

    await tenants.updateTenant({ ...tenant, eligibility });
    return ok(eligibility);
  }
}

type Named = Readonly<{ provider: ProviderId; model: ModelName | null }>;

function problemsOf({ exclusions, allowList, pii }: Eligibility, catalog: Catalog): Problem[] {
  return [
    ...unknown('exclusions', exclusions, catalog),
    ...unknown('allow_list', allowList ?? [], catalog),
    ...piiProblems(pii?.providers ?? [], catalog),
  ];
}

/** Of two rules for one provider only one could hold, and nobody could say which. */
function piiProblems(rules: PiiRules['providers'], catalog: Catalog): Problem[] {
  const names = rules.map(({ provider }) => ({ provider, model: null }));
  const repeated = rules.flatMap(({ provider }, index) => {
    const isRepeated = rules.findIndex((rule) => rule.provider === provider) < index;
    const field = `pii.providers[${index}].provider`;
    return isRepeated ? [{ field, message: `'${provider}' has a rule already` }] : [];
  });
  return [...unknown('pii.providers', names, catalog), ...repeated];
}

function unknown(list: string, entries: readonly Named[], catalog: Catalog): Problem[] {
  return entries.flatMap(({ provider, model }, index) => {
    const problems: Problem[] = [];
    if (!catalog.providers.has(provider)) {
      problems.push({ field: `${list}[${index}].provider`, message: `there is no provider '${provider}'` });
    }
    if (model !== null && !catalog.models.has(model)) {
      problems.push({ field: `${list}[${index}].model`, message: `there is no model '${model}'` });
    }
    return problems;
  });
}
