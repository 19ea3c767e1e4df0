import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import type { RoutingPolicyInput } from '../../domain/routing/routing-policy';
import type { Target } from '../../domain/routing/target';
import type { Scope } from '../../domain/tenant/api-key';
import type { Configuration } from '../../usecase/port/configuration';
import type { WritePolicy } from '../../usecase/routing/write-policy';
import type { CreateTenant } from '../../usecase/tenant/create-tenant';
import { PLAIN_KEY, type IssueKey } from '../../usecase/tenant/issue-key';

export type FirstRunDeps = Readonly<{
  configuration: Configuration;
  createTenant: CreateTenant;
  issueKey: IssueKey;
  writePolicy: WritePolicy;
}>;

/** The secrets of a first run; they are shown once. */
export type FirstKeys = Readonly<{ chat: string; operator: string }>;

export const DEMO_TENANT = 'demo';
/** Who wrote the policies that nobody wrote. */
const AUTHOR = 'first-run';

const MINI: Target = { provider: 'openai', model: 'gpt-4o-mini' };
const HAIKU: Target = { provider: 'anthropic', model: 'claude-haiku-4-5' };
/** Haiku costs 6.7 times as much as the mini for input and 8.4 times for output. */
const CEILING = 10;

/** Makes a tenant that can try everything at once: a policy in each direction, a key for its app, and an operator's key. */
export class FirstRun {
  constructor(private readonly deps: FirstRunDeps) {}

  /**
   * Null: this was no first run. The operator's key is the last thing that it makes, and nobody can do anything without
   * one, so a run that died half-way is done again.
   */
  async execute(): Promise<FirstKeys | null> {
    const { configuration, createTenant } = this.deps;
    if (configuration.keysOf(null).length > 0) return null;
    if (configuration.tenant(DEMO_TENANT) === undefined) {
      const demo = { id: DEMO_TENANT, name: 'Demo', features: { failover: true }, groups: null };
      must(await createTenant.execute(demo));
    }
    await this.writePolicies();
    return { chat: await this.issue(DEMO_TENANT, 'chat'), operator: await this.issue(null, 'operator') };
  }

  private async writePolicies(): Promise<void> {
    const { configuration, writePolicy } = this.deps;
    for (const [name, policy] of Object.entries(demoPolicies(configuration))) {
      if (configuration.policiesOf(DEMO_TENANT).has(name)) continue;
      must(await writePolicy.execute({ tenant: DEMO_TENANT, name, by: AUTHOR }, policy, { kind: 'none' }));
    }
  }

  private async issue(tenant: string | null, scope: Scope): Promise<string> {
    const wanted = { ...PLAIN_KEY, name: `first-run ${scope}`, scopes: [scope] };
    return must(await this.deps.issueKey.execute(tenant, wanted, 'machine_owner')).secret;
  }
}

/** With both providers each falls back to the other; with one of them, `auto` still names a model that is there. */
function demoPolicies(configuration: Configuration): Record<string, RoutingPolicyInput> {
  const { models } = configuration.catalog();
  const mini = models.has(MINI.model);
  const haiku = models.has(HAIKU.model);
  const settings = { maxFallbackCostMultiplier: CEILING };
  const policies: Record<string, RoutingPolicyInput> = {};
  if (mini) {
    policies['mini-first'] = {
      match: ['auto', MINI.model],
      primary: MINI,
      fallbacks: haiku ? [HAIKU] : [],
      settings,
    };
  }
  if (haiku) {
    const match = mini ? [HAIKU.model] : ['auto', HAIKU.model];
    policies['haiku-first'] = { match, primary: HAIKU, fallbacks: mini ? [MINI] : [], settings };
  }
  return policies;
}

/** What the first run asks for is right by construction; anything else is a defect. */
function must<T>(result: Result<T, GatewayError>): T {
  if (!result.ok) throw new Error(`The first run was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}
