import { RoutingPolicy, type RoutingPolicyInput } from '../../src/domain/routing/routing-policy';
import type { PolicyVersion } from '../../src/domain/routing/policy-version';
import { UNRESTRICTED } from '../../src/domain/tenant/eligibility';
import type { Tenant } from '../../src/domain/tenant/tenant';
import { buildCatalog, type CatalogEntries } from '../../src/domain/catalog/catalog';
import type { TenantFacts } from '../../src/usecase/drill/program';
import type { Setting } from '../../src/usecase/port/rehearsal-stage';
import { ABLE, aChannel, aModel, anOffering, aPrice, aProvider } from './sample-catalog';

export const SMALL = { provider: 'openai', model: 'gpt-s' };
export const LARGE = { provider: 'openai', model: 'gpt-l' };
export const ELSEWHERE = { provider: 'azure', model: 'gpt-s' };
export const CLAUDE = { provider: 'anthropic', model: 'claude-s' };

/** The capabilities that the translation to Messages can honour. */
const MESSAGES = { ...ABLE, maxOutputTokens: 8_192 };

/** Two accounts at one provider, the same model at another one in Europe, and a model over the other wire. */
export const DRILL_ENTRIES: CatalogEntries = {
  providers: [aProvider('openai'), aProvider('azure'), aProvider('anthropic')],
  channels: [
    aChannel({ id: 'first', provider: 'openai', priority: 0 }),
    aChannel({ id: 'second', provider: 'openai', priority: 1 }),
    aChannel({ id: 'europe', provider: 'azure', region: 'eu-west' }),
    aChannel({ id: 'messages', provider: 'anthropic', kind: 'anthropic' }),
  ],
  models: [
    aModel('gpt-s'),
    aModel('gpt-l'),
    aModel('claude-s', { provider: 'anthropic', contract: MESSAGES }),
  ],
  offerings: [
    anOffering({ id: 'first-s', channel: 'first', price: aPrice(100_000, 400_000) }),
    anOffering({ id: 'second-s', channel: 'second', price: aPrice(100_000, 400_000) }),
    anOffering({ id: 'europe-s', channel: 'europe', price: aPrice(200_000, 800_000) }),
    anOffering({
      id: 'first-l',
      channel: 'first',
      model: 'gpt-l',
      upstreamName: 'gpt-l',
      price: aPrice(1_000_000, 4_000_000),
    }),
    anOffering({
      id: 'claude',
      channel: 'messages',
      model: 'claude-s',
      upstreamName: 'claude-s',
      price: aPrice(300_000, 1_200_000),
    }),
  ],
};

export function drillTenant(given: Partial<Tenant> = {}): Tenant {
  return {
    id: 'acme',
    name: 'Acme',
    features: { failover: true },
    eligibility: UNRESTRICTED,
    groups: null,
    createdAtMs: 0,
    ...given,
  };
}

export function drillPolicy(input: Partial<RoutingPolicyInput> = {}, name = 'main'): PolicyVersion {
  const created = RoutingPolicy.create({ match: ['auto'], primary: SMALL, ...input });
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  return {
    tenant: 'acme',
    name,
    version: 1,
    policy: created.value,
    createdAtMs: 0,
    createdBy: 'test',
    restoredFrom: null,
  };
}

export type DrillWorld = Readonly<{
  policy?: Partial<RoutingPolicyInput>;
  tenant?: Partial<Tenant>;
  entries?: Partial<CatalogEntries>;
}>;

export function drillFacts({ policy, tenant, entries }: DrillWorld = {}): TenantFacts {
  return {
    tenant: drillTenant(tenant),
    catalog: buildCatalog({ ...DRILL_ENTRIES, ...entries }),
    policies: [drillPolicy(policy)],
    nowMs: 1_000_000,
    maxDeadlineMs: 900_000,
  };
}

export function drillSetting(world: DrillWorld = {}): Setting {
  const facts = drillFacts(world);
  return { ...facts, policy: facts.policies[0]!, requestedModel: 'auto' };
}
