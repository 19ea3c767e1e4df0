// The other half of the cycle; dependency-cruiser reports a cycle once.
import type { Breaker } from './circuit-breaker';

export type Throttle = Readonly<{ breaker: Breaker }>;
