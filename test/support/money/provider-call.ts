import type { Charge } from '../../../src/infra/simulator/charge';
import type { ProviderWire } from '../../../src/infra/simulator/wire-format';

/** A call as its provider saw it, and what it charges for it. */
export type ProviderCall = Readonly<{
  provider: ProviderWire;
  tag: string;
  /** Empty: this provider takes no id of ours. */
  clientRequestId: string;
  /** The provider's own. */
  requestId: string;
  atMs: number;
  /** Null: nothing. */
  charge: Charge | null;
  /** Parts of the charged input; absent: none. */
  cache?: Readonly<{ read: number; written: number }>;
}>;
