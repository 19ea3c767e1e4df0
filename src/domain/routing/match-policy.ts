import type { ModelName } from '../kernel/ids';
import type { PolicyVersion } from './policy-version';

/** A tenant's policies by what they answer for, built once per change so that a request only looks them up. */
export type PolicyIndex = Readonly<{
  /** By each of their patterns, word for word; of policies with the same pattern the first by name. */
  byPattern: ReadonlyMap<string, PolicyVersion>;
  /** How long the prefixes are that patterns such as `gpt-*` ask for, longest first. */
  prefixLengths: readonly number[];
}>;

export const NO_POLICIES: PolicyIndex = { byPattern: new Map(), prefixLengths: [] };

export function indexPolicies(policies: Iterable<PolicyVersion>): PolicyIndex {
  const byPattern = new Map<string, PolicyVersion>();
  const lengths = new Set<number>();
  for (const version of policies) {
    for (const pattern of version.policy.match) {
      byPattern.set(pattern, firstByName(version, byPattern.get(pattern)));
      if (pattern.endsWith('*')) lengths.add(pattern.length - 1);
    }
  }
  return { byPattern, prefixLengths: [...lengths].sort((one, other) => other - one) };
}

/**
 * The policy that answers for a request, the most specific one: by the requested name itself, by the name that its
 * alias stands for, by the longest prefix, by `*`. Of equal ones the first by name. Null: none matches.
 */
export function matchPolicy(
  { byPattern, prefixLengths }: PolicyIndex,
  requested: string,
  resolved: ModelName | null,
): PolicyVersion | null {
  const exact = byPattern.get(requested) ?? (resolved === null ? undefined : byPattern.get(resolved));
  if (exact !== undefined) return exact;
  for (const length of prefixLengths) {
    const withPrefixOf = (name: string): PolicyVersion | undefined =>
      name.length < length ? undefined : byPattern.get(`${name.slice(0, length)}*`);
    const asked = withPrefixOf(requested);
    const meant = resolved === null ? undefined : withPrefixOf(resolved);
    const found = asked ?? meant;
    if (found !== undefined) return firstByName(found, meant);
  }
  return null;
}

function firstByName(one: PolicyVersion, other: PolicyVersion | undefined): PolicyVersion {
  return other !== undefined && other.name < one.name ? other : one;
}
