import type { Route } from '../catalog/route';
import type { Refusal } from './refusal';

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
