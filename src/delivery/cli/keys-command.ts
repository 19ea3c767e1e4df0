import { SCOPES, type Scope } from '../../domain/tenant/api-key';
import type { Configuration } from '../../usecase/port/configuration';
import { PLAIN_KEY, type IssueKey } from '../../usecase/tenant/issue-key';
import { messageOf } from '../http/error/error-message';
import type { CommandOutcome } from './command-outcome';
import { givenOptions } from './given-options';

export const KEYS_USAGE = `schneeai keys create --name NAME [--tenant ID] --scope SCOPE [--scope SCOPE …]

Makes an API key and prints its secret once.
  --tenant ID    the tenant that it belongs to; without it the key is an operator's
  --scope SCOPE  one of ${SCOPES.join(', ')}
  --name NAME    how lists call it
`;

export type KeysCommandDeps = Readonly<{ configuration: Configuration; issueKey: IssueKey }>;

/** `schneeai keys create`: for the machine's owner, e.g. when no key is left that could make another. */
export async function keysCommand(args: readonly string[], deps: KeysCommandDeps): Promise<CommandOutcome> {
  const [verb, ...rest] = args;
  if (args.includes('--help')) return usage(0);
  if (verb !== 'create') return usage(2);
  const options = optionsOf(rest);
  if (typeof options === 'string') return { exitCode: 2, output: `${options}\n\n${KEYS_USAGE}` };
  const { tenant, scopes, name } = options;
  if (tenant !== null && deps.configuration.tenant(tenant) === undefined) {
    return { exitCode: 1, output: `There is no tenant '${tenant}'.\n` };
  }
  const issued = await deps.issueKey.execute(tenant, { ...PLAIN_KEY, name, scopes }, 'machine_owner');
  if (!issued.ok) return { exitCode: 1, output: `${messageOf(issued.error)}\n` };
  return { exitCode: 0, output: `${issued.value.secret}\n` };
}

type KeyOptions = Readonly<{ tenant: string | null; scopes: readonly Scope[]; name: string }>;

/** The options, or what is wrong with them. */
function optionsOf(args: readonly string[]): KeyOptions | string {
  const values = givenOptions(args, {
    tenant: { type: 'string' },
    scope: { type: 'string', multiple: true },
    name: { type: 'string' },
  });
  if (typeof values === 'string') return values;
  const { tenant = null, scope = [], name = '' } = values;
  const unknown = scope.find((given) => !isScope(given));
  if (unknown !== undefined) return `There is no scope '${unknown}'.`;
  if (scope.length === 0) return 'Name at least one --scope.';
  if (name.trim() === '') return 'Give the key a --name.';
  return { tenant, scopes: scope.filter(isScope), name };
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

function usage(exitCode: number): CommandOutcome {
  return { exitCode, output: KEYS_USAGE };
}
