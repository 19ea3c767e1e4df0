import { givenOptions } from './given-options';

export const EXPLAIN_USAGE = `schneeai explain --tenant ID --policy NAME --model MODEL [--down PROVIDER …] [--stream] [--json]

Says what would happen to a request under a policy of the tenant, by the planner that serves it.
No provider is called, and the store is only read. A route is taken as healthy unless you say
otherwise.
  --tenant ID      whose policy
  --policy NAME    the policy; if another one answers for the model, that is told
  --model MODEL    the model that the request asks for
  --down PROVIDER  supposes that this provider is down; may be given more than once
  --stream         a streamed request
  --json           prints the answer of the admin API
Exit code: 0 a route would be asked, 1 none would or nothing could be read, 2 called wrongly.
`;

export type ExplainOptions = Readonly<{
  tenant: string;
  policy: string;
  model: string;
  down: readonly string[];
  stream: 'streamed' | 'whole';
  format: 'text' | 'json';
}>;

/** The options, or what is wrong with them. */
export function explainOptions(args: readonly string[]): ExplainOptions | string {
  const values = givenOptions(args, {
    tenant: { type: 'string' },
    policy: { type: 'string' },
    model: { type: 'string' },
    down: { type: 'string', multiple: true },
    stream: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  if (typeof values === 'string') return values;
  const { tenant = '', policy = '', model = '', down = [], stream, json } = values;
  const missing = Object.entries({ tenant, policy, model }).find(([, value]) => value.trim() === '');
  if (missing !== undefined) return `Name a --${missing[0]}.`;
  return {
    tenant,
    policy,
    model,
    down,
    stream: stream === true ? 'streamed' : 'whole',
    format: json === true ? 'json' : 'text',
  };
}
