// offends: domain-no-other-layer
import type { Clock } from '../../usecase/port/clock';

export type Offence = Clock;
