import type { ModelName, ProviderId } from '../kernel/ids';
import type { PiiRules } from '../pii/pii-rule';

/** Which providers, models and regions a tenant's contracts and rules allow (DESIGN §5). */
export type Eligibility = Readonly<{
  /** Region patterns such as `eu` or `eu-*`; null: every region. */
  allowedRegions: readonly string[] | null;
  exclusions: readonly Exclusion[];
  /** If not null, everything that it doesn't name is excluded. */
  allowList: readonly AllowedProvider[] | null;
  /** What of personal data may go to whom; absent or null: everything to everybody, and nothing is looked for. */
  pii?: PiiRules | null;
}>;

/** A contractual exclusion of a provider, or of one of its models. */
export type Exclusion = Readonly<{
  provider: ProviderId;
  /** Null: every model of the provider. */
  model: ModelName | null;
  /** Why, for the auditor. */
  note: string;
  /** The exclusion has ended at this instant; null: it has no end. */
  untilMs: number | null;
}>;

export type AllowedProvider = Readonly<{ provider: ProviderId; model: ModelName | null }>;

export const UNRESTRICTED: Eligibility = { allowedRegions: null, exclusions: [], allowList: null };

/** The rule that keeps a provider's model from a tenant, with what its reader needs to know. */
export type ExclusionVerdict = Readonly<{ note: string; untilMs: number | null }>;

/** Why the tenant's rules exclude this model of this provider now; null: they don't. A contractual exclusion is named first. */
export function exclusionOf(
  eligibility: Eligibility,
  named: AllowedProvider & Readonly<{ model: ModelName }>,
  nowMs: number,
): ExclusionVerdict | null {
  const exclusion = eligibility.exclusions.find(
    (candidate) => covers(candidate, named) && (candidate.untilMs === null || nowMs < candidate.untilMs),
  );
  if (exclusion !== undefined) return { note: exclusion.note, untilMs: exclusion.untilMs };
  const listed = eligibility.allowList?.some((allowed) => covers(allowed, named)) ?? true;
  return listed ? null : { note: 'not on the allow list', untilMs: null };
}

function covers(rule: AllowedProvider, named: AllowedProvider): boolean {
  return rule.provider === named.provider && (rule.model === null || rule.model === named.model);
}

/** Whether the tenant's data may go to a region; null allows every region, an empty list none. */
export function isRegionAllowed(allowedRegions: readonly string[] | null, region: string): boolean {
  return allowedRegions === null || allowedRegions.some((pattern) => coversRegion(pattern, region));
}

/**
 * `eu` and `eu-*` mean the same: the region `eu` and everything within it, such as `eu-central-1`, but not `europe`.
 * `*` means every region. Upper and lower case are the same.
 */
function coversRegion(pattern: string, region: string): boolean {
  if (pattern === '*') return true;
  const within = pattern.toLowerCase().replace(/-\*$/, '');
  const place = region.toLowerCase();
  return within !== '' && (place === within || place.startsWith(`${within}-`));
}
