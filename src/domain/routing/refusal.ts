import type { ChannelId, ModelName, OfferingId, ProviderId } from '../kernel/ids';
import type { Price } from '../catalog/price';
import type { PiiClass } from '../pii/pii-class';

/** Why a route was left out (DESIGN §5), in the order in which the gates are judged. */
export const REFUSAL_REASONS = [
  'not_opted_in',
  'tenant_excluded',
  'data_residency',
  'pii_policy',
  'contract_mismatch',
  'cost_ceiling',
  'cost_unknown',
  'group_rpm',
  'circuit_open',
  'throttled',
  'disabled',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** A route that was left out, with what its reader needs to understand it. */
export type Refusal = Readonly<{
  route: RefusedRoute;
  detail: RefusalDetail;
}>;

export type RefusedRoute = Readonly<{
  id: OfferingId;
  provider: ProviderId;
  channel: ChannelId;
  model: ModelName;
}>;

export type RefusalDetail =
  | Readonly<{ reason: 'not_opted_in'; missing: 'tenant_feature' | 'policy' | 'failover_on' }>
  | Readonly<{ reason: 'tenant_excluded'; note: string; untilMs: number | null }>
  | Readonly<{ reason: 'data_residency'; region: string; allowedRegions: readonly string[] }>
  | Readonly<{ reason: 'pii_policy'; classes: readonly PiiClass[] }>
  | Readonly<{ reason: 'contract_mismatch'; param: string; message: string }>
  | CostCeilingDetail
  | CostUnknownDetail
  | Readonly<{ reason: 'group_rpm'; group: string; retryAfterMs: number }>
  | Readonly<{ reason: 'circuit_open'; untilMs: number | null }>
  | Readonly<{ reason: 'throttled'; untilMs: number }>
  | Readonly<{ reason: 'disabled' }>;

export type CostUnknownDetail = Readonly<{
  reason: 'cost_unknown';
  /** Whose price is missing for a comparison. For a wallet: `price` of this route, or `output_limit`, so that nothing bounds it. */
  of: 'primary' | 'fallback' | 'both' | 'price' | 'output_limit';
}>;

export type CostCeilingDetail = Readonly<{
  reason: 'cost_ceiling';
  primaryPrice: Price;
  fallbackPrice: Price;
  /** The larger of the input and the output ratio; null: the primary is free and the fallback isn't. */
  ratio: number | null;
  ceiling: number;
}>;
