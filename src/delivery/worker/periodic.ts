/** Runs a task again and again; never twice at once, and a failure doesn't end the series. */
export class Periodic {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly task: () => Promise<unknown>,
    private readonly intervalMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** The first run comes at once. */
  start(): void {
    this.running = this.run();
  }

  /** Resolves when a run that was under way has ended. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      this.onFailure(error);
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => (this.running = this.run()), this.intervalMs);
    this.timer.unref();
  }
}
