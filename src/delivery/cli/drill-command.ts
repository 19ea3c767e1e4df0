import type { Tenant } from '../../domain/tenant/tenant';
import type { DrillName } from '../../usecase/drill/drill';
import { programOf, type Entry, type TenantFacts } from '../../usecase/drill/program';
import type { DrillResult } from '../../usecase/drill/rehearse-policies';
import type { Configuration } from '../../usecase/port/configuration';
import type { CommandOutcome } from './command-outcome';
import { drillDocument } from './drill-document';
import type { DrillOptions } from './drill-options';
import { resultText, summaryText } from './drill-printer';

export type DrillCommandDeps = Readonly<{
  configuration: Configuration;
  origin: 'store' | 'first_run';
  nowMs: number;
  maxDeadlineMs: number;
  rehearse: (
    facts: TenantFacts,
    program: readonly Entry[],
    drills: readonly DrillName[],
    onResult: (result: DrillResult) => void,
  ) => Promise<readonly DrillResult[]>;
  /** Shows a result as soon as it is there: all of them together take some seconds. */
  write: (text: string) => void;
}>;

const ORIGINS: Readonly<Record<DrillCommandDeps['origin'], string>> = {
  store: 'its policies as they are in the store',
  first_run: 'there is no store yet, so these are the policies of a first run',
};

/** `schneeai drill`: rehearses the policies of a tenant and says whether all went as specified. */
export async function drillCommand(options: DrillOptions, deps: DrillCommandDeps): Promise<CommandOutcome> {
  const tenant = tenantOf(options, deps.configuration);
  if (typeof tenant === 'string') return { exitCode: 2, output: `${tenant}\n` };
  const facts: TenantFacts = {
    tenant,
    catalog: deps.configuration.catalog(),
    policies: [...deps.configuration.policiesOf(tenant.id).values()],
    nowMs: deps.nowMs,
    maxDeadlineMs: deps.maxDeadlineMs,
  };
  const { policy, drills, format } = options;
  const program = programOf(facts).filter((entry) => policy === null || entry.policy === policy);
  if (program.length === 0) return { exitCode: 2, output: `${nothingToRehearse(tenant, policy)}\n` };

  const show = format === 'text' ? deps.write : (): void => undefined;
  show(`Drills for the tenant ${tenant.id}: ${ORIGINS[deps.origin]}.\n\n`);
  const results = await deps.rehearse(facts, program, drills, (result) => show(`${resultText(result)}\n`));
  deps.write(format === 'text' ? summaryText(results) : drillDocument(tenant.id, results));
  return { exitCode: results.some(({ verdict }) => verdict === 'failed') ? 1 : 0, output: '' };
}

/** The tenant, or why it isn't clear which one. */
function tenantOf({ tenant: wanted }: DrillOptions, configuration: Configuration): Tenant | string {
  const tenants = configuration.tenants();
  if (wanted !== null) return configuration.tenant(wanted) ?? `There is no tenant '${wanted}'.`;
  const [only, ...others] = tenants;
  if (only === undefined) return 'There is no tenant yet.';
  if (others.length === 0) return only;
  return `Name a --tenant, one of ${tenants.map(({ id }) => id).join(', ')}.`;
}

function nothingToRehearse({ id }: Tenant, policy: string | null): string {
  return policy === null
    ? `The tenant '${id}' has no policy to rehearse.`
    : `The tenant '${id}' has no policy '${policy}'.`;
}
