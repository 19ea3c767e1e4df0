import type { ConfigurationFollower } from './configuration-writer';

/** DESIGN §10: a change reaches the other processes within a second. */
export const POLL_INTERVAL_MS = 1_000;

/** Has the configuration follow what other processes write. */
export class ConfigurationPoller {
  private timer: NodeJS.Timeout | null = null;
  private state: 'running' | 'stopped' = 'stopped';

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

  /** The next one is planned when this one is done, so that a slow store isn't asked ever more. */
  private schedule(): void {
    this.timer = setTimeout(() => void this.poll(), this.intervalMs);
    // Following changes is no reason to keep a process alive.
    this.timer.unref();
  }

  private async poll(): Promise<void> {
    try {
      await this.follower.refresh();
    } catch (error) {
      this.onFailure(error);
    }
    if (this.state === 'running') this.schedule();
  }
}
