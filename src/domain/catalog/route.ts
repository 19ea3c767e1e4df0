import type { Channel } from './channel';
import type { ModelName, OfferingId, ProviderId } from '../kernel/ids';
import type { ModelContract } from './model-contract';
import type { CheckResult } from './offering-checks';
import type { Price } from './price';

/** One offering resolved for one request. Its id is the offering's: health is kept under it. */
export type Route = Readonly<{
  id: OfferingId;
  provider: ProviderId;
  channel: Channel;
  model: ModelName;
  upstreamName: string;
  price: Price | null;
  /** The model's contract, narrowed or widened by the offering. */
  contract: ModelContract;
  enabled: boolean;
  /** Checks of this offering, as it is now, that failed; absent: none did. */
  failedChecks?: readonly CheckResult[];
}>;
