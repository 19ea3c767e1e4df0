import type { ChannelId, ModelName, OfferingId } from '../kernel/ids';
import type { ModelContract } from './model-contract';
import type { Price } from './price';

/** "This channel serves this model under this upstream name at this price." */
export type Offering = Readonly<{
  id: OfferingId;
  channel: ChannelId;
  model: ModelName;
  upstreamName: string;
  /** Null: unknown. An unknown price is refused under a cost ceiling, never taken as zero. */
  price: Price | null;
  /** Where this offering differs from the model's contract. */
  contract: Partial<ModelContract>;
  enabled: boolean;
}>;
