import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayProcess, type ProcessEnd } from '../support/gateway-process';

const LOOK_EVERY_MS = 10;
/** Whoever restarts what ends by itself waits a moment, or he has nothing else to do. */
const RESTART_PAUSE_MS = 500;
const GIVE_UP_MS = 60_000;

/** One process from its start to its end. */
export type Life = Readonly<{
  startedAtMs: number;
  /** Null: it never was. */
  readyAtMs: number | null;
  /** How long it waited until then for a processor that others had. */
  crowdedMs: number;
  /** When somebody ended it, or it did; null: it lives. */
  endedAtMs: number | null;
  by: 'kill' | 'stop' | 'itself' | null;
  end: ProcessEnd | null;
}>;

type Running = Readonly<{
  process: GatewayProcess;
  life: { -readonly [Member in keyof Life]: Life[Member] };
}>;

/** A gateway of which somebody takes care that it always runs: on the same port and data folder, whatever ends it. */
export class SoakGateway {
  readonly lives: Life[] = [];
  private running: Running;
  private wanted = true;
  private over: Promise<void>;

  constructor(
    private readonly main: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {
    this.running = this.begin();
    this.over = this.keepRunning();
  }

  get url(): string {
    return `http://127.0.0.1:${this.environment['PORT']}`;
  }

  get dataDir(): string {
    return this.environment['SCHNEEAI_DATA_DIR']!;
  }

  /** In the middle of everything; the next one starts at once. */
  kill(): void {
    this.endBy('kill');
    this.running.process.signal('SIGKILL');
  }

  /** As an operator does. */
  async stop(): Promise<void> {
    this.wanted = false;
    this.endBy('stop');
    this.running.process.signal('SIGTERM');
    await this.over;
  }

  /** After a stop. */
  startAgain(): void {
    this.wanted = true;
    this.running = this.begin();
    this.over = this.keepRunning();
  }

  /** Whatever happens: no process of ours stays. */
  abandon(): void {
    this.wanted = false;
    this.running.process.signal('SIGKILL');
  }

  /** Rejects when it can't be, with what it says of that. */
  async untilReady(): Promise<void> {
    const untilMs = Date.now() + GIVE_UP_MS;
    while (this.running.life.readyAtMs === null) {
      if (Date.now() > untilMs) throw new Error(`A gateway is not ready: ${this.lives.at(-2)?.end?.errors}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Whether the same process was ready all the time. */
  servedThroughout(fromMs: number, toMs: number): boolean {
    return this.lives.some(
      ({ readyAtMs, endedAtMs }) =>
        readyAtMs !== null && readyAtMs <= fromMs && (endedAtMs === null || endedAtMs > toMs),
    );
  }

  private begin(): Running {
    const process = GatewayProcess.spawn(this.main, ['serve'], this.environment);
    const life: Life = {
      startedAtMs: Date.now(),
      readyAtMs: null,
      crowdedMs: 0,
      endedAtMs: null,
      by: null,
      end: null,
    };
    this.lives.push(life);
    const running: Running = { process, life };
    void this.noticeReady(running);
    return running;
  }

  private async keepRunning(): Promise<void> {
    for (;;) {
      const { process, life } = this.running;
      life.end = await process.waitForEnd();
      life.endedAtMs ??= Date.now();
      life.by ??= 'itself';
      if (!this.wanted) return;
      if (life.by === 'itself') await pause(RESTART_PAUSE_MS);
      this.running = this.begin();
    }
  }

  private endBy(by: 'kill' | 'stop'): void {
    const { life } = this.running;
    if (life.endedAtMs !== null) return;
    life.endedAtMs = Date.now();
    life.by = by;
  }

  private async noticeReady({ process, life }: Running): Promise<void> {
    while (life.endedAtMs === null) {
      const status = await fetch(`${this.url}/readyz`, { headers: { connection: 'close' } }).then(
        (response) => response.status,
        () => null,
      );
      if (status === 200 && life.endedAtMs === null) {
        life.readyAtMs = Date.now();
        life.crowdedMs = crowdedMsOf(process);
        return;
      }
      await pause(LOOK_EVERY_MS);
    }
  }
}

/** The main thread's wait in the scheduler's queue: Linux says so in nanoseconds; elsewhere nobody knows, which counts as none. */
function crowdedMsOf({ pid }: GatewayProcess): number {
  const path = `/proc/${pid}/schedstat`;
  const [, waitNs = '0'] = existsSync(path) ? readFileSync(path, 'utf8').split(' ') : [];
  return Math.round(Number(waitNs) / 1e6);
}
