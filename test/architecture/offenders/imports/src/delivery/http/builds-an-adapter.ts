// offends: delivery-no-other-layer
import { systemClock } from '../../infra/runtime/system-clock';

export const offence = systemClock;
