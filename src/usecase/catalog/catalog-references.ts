import type { Catalog } from '../../domain/catalog/catalog';
import type { ModelName, ProviderId } from '../../domain/kernel/ids';
import { namedTargetsOf } from '../../domain/routing/named-target';
import type { Eligibility } from '../../domain/tenant/eligibility';
import type { CatalogKind } from '../port/catalog-store';
import type { Configuration } from '../port/configuration';

type Source = Pick<Configuration, 'catalog' | 'tenants' | 'policiesOf'>;
type Named = Readonly<{ provider: ProviderId; model: ModelName | null }>;

/** Everything that refers to a catalog entry, in words; while there is anything, the entry can't be removed. */
export function referencesTo(kind: CatalogKind, id: string, source: Source): readonly string[] {
  const names = (target: Named): boolean => (kind === 'provider' ? target.provider : target.model) === id;
  switch (kind) {
    case 'provider':
    case 'model':
      return [...entriesWith(kind, id, source.catalog()), ...rulesThatName(names, source)];
    case 'channel':
      return [...source.catalog().offerings.values()]
        .filter(({ channel }) => channel === id)
        .map((offering) => `the offering '${offering.id}'`);
    case 'offering':
      // Policies name providers and models; what serves those may change at any time.
      return [];
  }
}

function entriesWith(kind: 'provider' | 'model', id: string, catalog: Catalog): string[] {
  if (kind === 'model') {
    const offerings = [...catalog.offerings.values()].filter(({ model }) => model === id);
    return offerings.map((offering) => `the offering '${offering.id}'`);
  }
  const channels = [...catalog.channels.values()].filter(({ provider }) => provider === id);
  const models = [...catalog.models.values()].filter(({ provider }) => provider === id);
  return [
    ...channels.map((channel) => `the channel '${channel.id}'`),
    ...models.map(({ name }) => `the model '${name}'`),
  ];
}

function rulesThatName(names: (target: Named) => boolean, source: Source): string[] {
  const catalog = source.catalog();
  return source.tenants().flatMap((tenant) => {
    const policies = [...source.policiesOf(tenant.id).values()].filter(({ policy }) =>
      namedTargetsOf(policy, catalog).some(({ target }) => names(target)),
    );
    const rules = eligibilityEntries(tenant.eligibility).some(names)
      ? [`the eligibility of the tenant '${tenant.id}'`]
      : [];
    return [...policies.map(({ name }) => `the policy '${name}' of the tenant '${tenant.id}'`), ...rules];
  });
}

function eligibilityEntries({ exclusions, allowList, pii }: Eligibility): readonly Named[] {
  const piiRules = (pii?.providers ?? []).map(({ provider }) => ({ provider, model: null }));
  return [...exclusions, ...(allowList ?? []), ...piiRules];
}
