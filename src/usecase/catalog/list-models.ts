import { routesOf } from '../../domain/catalog/catalog';
import { mayUseGroup, type Tenant } from '../../domain/tenant/tenant';
import { exclusionOf, isRegionAllowed } from '../../domain/tenant/eligibility';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';

/** A name that a caller may put into `model`. */
export type ListedModel = Readonly<{ id: string; ownedBy: string }>;

/** Who owns a name that only a policy of the tenant answers to. */
const OWNED_BY_POLICY = 'schneeai';

/** The models that a tenant's requests may name: those of the catalog that its rules allow, and the names of its policies. */
export class ListModels {
  constructor(private readonly deps: Readonly<{ configuration: Configuration; clock: Clock }>) {}

  execute(tenant: Tenant): readonly ListedModel[] {
    const { configuration, clock } = this.deps;
    const catalog = configuration.catalog();
    const nowMs = clock.nowMs();
    const models = [...catalog.models.values()].filter((model) =>
      routesOf(catalog, model.name).some(
        ({ channel, enabled, provider }) =>
          enabled &&
          mayUseGroup(tenant, channel.group) &&
          isRegionAllowed(tenant.eligibility.allowedRegions, channel.region) &&
          exclusionOf(tenant.eligibility, { provider, model: model.name }, nowMs) === null,
      ),
    );
    const listed = models.map(({ name, provider }) => ({ id: name, ownedBy: provider }));
    const known = new Set(listed.map(({ id }) => id));
    const virtual = [...configuration.policiesOf(tenant.id).values()]
      .flatMap(({ policy }) => policy.match)
      .filter((name) => !name.endsWith('*') && !known.has(name) && !catalog.models.has(name));
    return [...listed, ...[...new Set(virtual)].map((id) => ({ id, ownedBy: OWNED_BY_POLICY }))];
  }
}
