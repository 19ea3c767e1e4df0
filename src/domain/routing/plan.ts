import type { Route } from '../catalog/route';
import type { ModelName } from '../kernel/ids';
import type { PolicySettings } from './policy-settings';
import type { Refusal } from './refusal';

/** What may be done for one request, decided before anything is sent. */
export type Plan = Readonly<{
  requestedModel: string;
  /** The version that answers for the whole interaction, whatever is written meanwhile; null: no policy matched. */
  policy: Readonly<{ name: string; version: number }> | null;
  settings: PolicySettings;
  /** What fallbacks are measured against (price, provider, model); null: the primary has no route at all. */
  primary: PlannedRoute | null;
  /** Every candidate in the order in which it would be tried, refused ones included: a gate may open meanwhile. */
  candidates: readonly PlannedRoute[];
  /** What was refused at the time of planning, and why. */
  refusals: readonly Refusal[];
}>;

/** A route with its place in the plan. */
export type PlannedRoute = Readonly<{
  route: Route;
  /** `primary`: the primary's own channel that goes first. */
  relation: 'primary' | 'channel_fallback' | 'model_fallback';
  /** Another provider or another model: needs the opt-in (DESIGN §2). */
  failover: boolean;
  /** A refusal that nothing can lift while the request runs; null: only gates that change can refuse it. */
  refusal: Refusal | null;
}>;

/** The served names that an answer is annotated with. */
export type Substitution = Readonly<{ requested: string; served: ModelName; primary: ModelName }>;
