import type { ModelName } from '../kernel/ids';
import type { PolicyVersion } from './policy-version';

/** How closely a pattern names a model: the kind of match first, then the length of the prefix. */
type Closeness = Readonly<{ kind: number; prefixLength: number }>;

const EXACT_REQUESTED = 3;
const EXACT_RESOLVED = 2;
const PREFIX = 1;

type Match = Readonly<{ version: PolicyVersion; closeness: Closeness }>;

/**
 * The policy that answers for a request, the most specific one: by the requested name itself, by the name that its
 * alias stands for, by the longest prefix, by `*`. Of equal ones the first by name. Null: none matches.
 */
export function matchPolicy(
  policies: Iterable<PolicyVersion>,
  requested: string,
  resolved: ModelName | null,
): PolicyVersion | null {
  let best: Match | null = null;
  for (const version of policies) {
    for (const pattern of version.policy.match) {
      const closeness = closenessOf(pattern, requested, resolved);
      if (closeness !== null && (best === null || beats({ version, closeness }, best)))
        best = { version, closeness };
    }
  }
  return best?.version ?? null;
}

function closenessOf(pattern: string, requested: string, resolved: ModelName | null): Closeness | null {
  if (pattern === requested) return { kind: EXACT_REQUESTED, prefixLength: 0 };
  if (pattern === resolved) return { kind: EXACT_RESOLVED, prefixLength: 0 };
  if (!pattern.endsWith('*')) return null;
  const prefix = pattern.slice(0, -1);
  const begins = requested.startsWith(prefix) || (resolved?.startsWith(prefix) ?? false);
  return begins ? { kind: PREFIX, prefixLength: prefix.length } : null;
}

function beats(challenger: Match, best: Match): boolean {
  const byKind = challenger.closeness.kind - best.closeness.kind;
  if (byKind !== 0) return byKind > 0;
  const byLength = challenger.closeness.prefixLength - best.closeness.prefixLength;
  return byLength === 0 ? challenger.version.name < best.version.name : byLength > 0;
}
