// offends: simulator-builtins-only
import { systemClock } from '../runtime/system-clock';

export const offence = systemClock;
