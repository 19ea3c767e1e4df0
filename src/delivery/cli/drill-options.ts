import { DRILL_NAMES, type DrillName } from '../../usecase/drill/drill';
import { givenOptions } from './given-options';

const WIDTH = 80;
const INDENT = ' '.repeat(17);

export const DRILL_USAGE = `schneeai drill [--tenant ID] [--policy NAME] [--only DRILL] [--json]

Rehearses the policies of a tenant: a second gateway with a store of its own and simulated providers
is put through failures on purpose. No real provider is called, and the real store is only read.
  --tenant ID    whose policies; without it the only tenant there is
  --policy NAME  only this policy
  --only DRILL   only this drill, one of
${wrapped(DRILL_NAMES.join(', '))}
  --json         prints the results as one JSON document
Exit code: 0 all passed, 1 something differed, 2 called wrongly.
`;

export type DrillOptions = Readonly<{
  /** Null: the only one there is. */
  tenant: string | null;
  /** Null: all. */
  policy: string | null;
  drills: readonly DrillName[];
  format: 'text' | 'json';
}>;

/** The options, or what is wrong with them. */
export function drillOptions(args: readonly string[]): DrillOptions | string {
  const values = givenOptions(args, {
    tenant: { type: 'string' },
    policy: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (typeof values === 'string') return values;
  const { tenant = null, policy = null, only, json = false } = values;
  const drills = DRILL_NAMES.filter((name) => only === undefined || name === only);
  if (drills.length === 0) return `There is no drill '${only}'.`;
  return { tenant, policy, drills, format: json ? 'json' : 'text' };
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${INDENT}${word}`);
  }
  return lines.join('\n');
}
