import type { ModelName } from '../kernel/ids';
import type { PlannedRoute } from './planned-route';
import type { PolicySettings } from './policy-settings';
import type { Refusal } from './refusal';

export type { PlannedRoute } from './planned-route';

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

/** The served names that an answer is annotated with. */
export type Substitution = Readonly<{ requested: string; served: ModelName; primary: ModelName }>;
