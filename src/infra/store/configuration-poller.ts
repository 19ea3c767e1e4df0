import type { ConfigurationFollower } from './configuration-writer';

/** DESIGN §10: a change reaches the other processes within a second. */
export const POLL_INTERVAL_MS = 1_000;

/** Has the configuration follow what other processes write. */
export class ConfigurationPoller {
  private timer: NodeJS.Timeout | null = null;
  private state: 'running' | 'stopped' = 'stopped';
  private reading: 'no' | 'yes' | 'again' = 'no';

  /** `onFailure` hears of each failed reading; what is known stays in force, and the next one comes as planned. */
  constructor(
    private readonly follower: ConfigurationFollower,
    private readonly onFailure: (error: unknown) => void,
    private readonly intervalMs = POLL_INTERVAL_MS,
  ) {}

  start(): void {
    if (this.state === 'running') return;
    this.state = 'running';
    this.schedule();
  }

  stop(): void {
    this.state = 'stopped';
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Reads now: somebody told of a change. A reading that has begun may have missed it, so another one follows. */
  hurry(): void {
    if (this.state === 'stopped') return;
    if (this.reading === 'no') {
      if (this.timer !== null) clearTimeout(this.timer);
      void this.poll();
    } else {
      this.reading = 'again';
    }
  }

  /** The next one is planned when this one is done, so that a slow store isn't asked ever more. */
  private schedule(): void {
    this.timer = setTimeout(() => void this.poll(), this.intervalMs);
    // Following changes is no reason to keep a process alive.
    this.timer.unref();
  }

  private async poll(): Promise<void> {
    do {
      this.reading = 'yes';
      try {
        await this.follower.refresh();
      } catch (error) {
        this.onFailure(error);
      }
    } while (this.askedAgain());
    this.reading = 'no';
    if (this.state === 'running') this.schedule();
  }

  private askedAgain(): boolean {
    return this.reading === 'again' && this.state === 'running';
  }
}
