import type { Clock } from '../../usecase/port/clock';

export class SystemClock implements Clock {
  nowMs(): number {
    return Date.now();
  }
}
