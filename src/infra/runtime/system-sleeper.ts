import type { Sleeper } from '../../usecase/port/sleeper';
import type { Timer } from '../../usecase/port/timer';

export class SystemSleeper implements Sleeper {
  constructor(private readonly timer: Timer) {}

  async sleep(delayMs: number, abort: AbortSignal): Promise<'woke' | 'aborted'> {
    if (abort.aborted) return 'aborted';
    if (delayMs <= 0) return 'woke';
    return new Promise((resolve) => {
      const onAbort = (): void => {
        cancel();
        resolve('aborted');
      };
      const cancel = this.timer.start(delayMs, () => {
        abort.removeEventListener('abort', onAbort);
        resolve('woke');
      });
      abort.addEventListener('abort', onAbort, { once: true });
    });
  }
}
