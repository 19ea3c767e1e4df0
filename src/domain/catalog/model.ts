import type { ModelName, ProviderId } from '../kernel/ids';
import type { ModelContract } from './model-contract';

/** A public name in the catalog. */
export type Model = Readonly<{
  name: ModelName;
  aliases: readonly string[];
  /** Who makes it: with no policy a request for this model stays at this provider. */
  provider: ProviderId;
  contract: ModelContract;
}>;
