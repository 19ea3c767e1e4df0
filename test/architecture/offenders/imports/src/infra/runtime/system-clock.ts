import type { Clock } from '../../usecase/port/clock';

export const systemClock: Clock = { nowMs: () => 0 };
