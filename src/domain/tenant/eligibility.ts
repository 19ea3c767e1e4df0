import type { ModelName, ProviderId } from '../kernel/ids';

/** Which providers, models and regions a tenant's contracts and rules allow (DESIGN §5). */
export type Eligibility = Readonly<{
  /** Region patterns such as `eu` or `eu-*`; null: every region. */
  allowedRegions: readonly string[] | null;
  exclusions: readonly Exclusion[];
  /** If not null, everything that it doesn't name is excluded. */
  allowList: readonly AllowedProvider[] | null;
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
