import type { Catalog } from '../catalog/catalog';
import type { Problem } from '../error/gateway-error';
import { exclusionOf, isRegionAllowed } from '../tenant/eligibility';
import { mayUseGroup } from '../tenant/tenant';
import type { Tenant } from '../tenant/tenant';
import { namedTargetsOf } from './named-target';
import type { NamedTarget } from './named-target';
import { problem, warning } from './policy-finding';
import type { Finding } from './policy-finding';
import { priceFindings } from './price-findings';
import type { RoutingPolicy } from './routing-policy';

/** What is wrong with a policy today, and what only may become right or wrong later. */
export type CatalogCheck = Readonly<{ problems: readonly Problem[]; warnings: readonly Problem[] }>;

/**
 * Checks a policy against what the catalog and the tenant's rules say when it is written (DESIGN §4). What can't work is
 * a problem; what could work later, such as after the end of an exclusion, is a warning.
 */
export function checkAgainstCatalog(
  policy: RoutingPolicy,
  catalog: Catalog,
  tenant: Tenant,
  nowMs: number,
): CatalogCheck {
  const targets = namedTargetsOf(policy, catalog);
  const findings = [
    ...targets.flatMap((named) => findingsOf(named, catalog, tenant, nowMs)),
    ...priceFindings(
      policy,
      targets.map((named) => withinReach(named, tenant)),
    ),
    ...optInFindings(policy, tenant),
    ...unansweredNames(policy, catalog),
  ];
  const of = (severity: Finding['severity']): readonly Problem[] =>
    findings.filter((finding) => finding.severity === severity).map(({ problem }) => problem);
  return { problems: of('problem'), warnings: of('warning') };
}

function withinReach(named: NamedTarget, tenant: Tenant): NamedTarget {
  const { allowedRegions } = tenant.eligibility;
  return {
    ...named,
    routes: named.routes.filter(
      ({ channel }) => isRegionAllowed(allowedRegions, channel.region) && mayUseGroup(tenant, channel.group),
    ),
  };
}

function findingsOf(named: NamedTarget, catalog: Catalog, tenant: Tenant, nowMs: number): readonly Finding[] {
  const unknown = unknownNames(named, catalog);
  if (unknown.length > 0) return unknown;
  if (named.routes.length === 0) {
    const { provider, model } = named.target;
    return [problem(named.field, `no channel of ${provider} offers ${model}`)];
  }
  return [
    ...exclusionFindings(named, tenant, nowMs),
    ...regionFindings(named, tenant),
    ...groupFindings(named, tenant),
    ...disabledFindings(named),
  ];
}

function unknownNames({ field, target }: NamedTarget, catalog: Catalog): readonly Finding[] {
  const findings: Finding[] = [];
  if (!catalog.providers.has(target.provider)) {
    findings.push(problem(`${field}.provider`, `no provider "${target.provider}" in the catalog`));
  }
  if (!catalog.models.has(target.model)) {
    const alias = catalog.aliases.get(target.model);
    const hint = alias === undefined ? '' : `; it is an alias, name "${alias}" itself`;
    findings.push(problem(`${field}.model`, `no model "${target.model}" in the catalog${hint}`));
  }
  return findings;
}

function exclusionFindings(
  { field, target }: NamedTarget,
  tenant: Tenant,
  nowMs: number,
): readonly Finding[] {
  const verdict = exclusionOf(tenant.eligibility, target, nowMs);
  if (verdict === null) return [];
  const message = `excluded for this tenant: ${verdict.note}`;
  if (verdict.untilMs === null) return [problem(field, message)];
  return [warning(field, `${message}; until ${verdict.untilMs} (milliseconds since the epoch)`)];
}

function regionFindings({ field, routes }: NamedTarget, { eligibility }: Tenant): readonly Finding[] {
  const { allowedRegions } = eligibility;
  if (routes.some(({ channel }) => isRegionAllowed(allowedRegions, channel.region))) return [];
  const regions = [...new Set(routes.map(({ channel }) => channel.region))].join(', ');
  return [
    problem(field, `offered in ${regions} only; the tenant allows ${(allowedRegions ?? []).join(', ')}`),
  ];
}

function groupFindings({ field, routes }: NamedTarget, tenant: Tenant): readonly Finding[] {
  if (routes.some(({ channel }) => mayUseGroup(tenant, channel.group))) return [];
  const groups = [...new Set(routes.map(({ channel }) => channel.group))].join(', ');
  return [problem(field, `offered in the channel groups ${groups} only, which the tenant may not use`)];
}

function disabledFindings({ field, routes }: NamedTarget): readonly Finding[] {
  return routes.some(({ enabled }) => enabled)
    ? []
    : [warning(field, 'all of its channels are switched off')];
}

function optInFindings({ fallbacks, settings }: RoutingPolicy, tenant: Tenant): readonly Finding[] {
  if (fallbacks.length === 0) return [];
  const findings: Finding[] = [];
  if (!tenant.features.failover) {
    findings.push(warning('fallbacks', "never used while the tenant's feature failover is off"));
  }
  if (settings.failoverOn.length === 0) {
    findings.push(warning('failover_on', 'names no cause, so the fallbacks are never used'));
  }
  return findings;
}

/** A policy that names no target sends a request to the model that it asks for, so that has to be one. */
function unansweredNames({ match, primary, fallbacks }: RoutingPolicy, catalog: Catalog): readonly Finding[] {
  if (primary !== null || fallbacks.length > 0) return [];
  return match.flatMap((name, index) => {
    const answered = name.endsWith('*') || catalog.models.has(name) || catalog.aliases.has(name);
    return answered
      ? []
      : [warning(`match[${index}]`, `no model "${name}" in the catalog, and no target to serve it`)];
  });
}
