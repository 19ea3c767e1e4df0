// offends: no-circular
import type { Throttle } from './throttle';

export type Breaker = Readonly<{ throttle: Throttle }>;
