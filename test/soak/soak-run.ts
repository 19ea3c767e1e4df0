import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { blowsOf, type Blow } from './blow';
import { Draws } from '../support/money/draws';
import { ACCOUNT_FAULT } from './soak-call';
import { SoakCallers } from './soak-callers';
import type { Asked } from './soak-request';
import type { SoakStage } from './soak-stage';

/** Enough for some hundred requests, so that the wallet runs dry now and then. */
const CREDIT_MICRO_USD = 60_000;
const CREDIT_EVERY_MS = 3_000;

export type SoakRun = Readonly<{
  asked: readonly Asked[];
  /** What the paying tenant has paid in, micro-USD. */
  creditedMicroUsd: number;
  redisRestarts: number;
  /** Files of closing records that waited for the store, and all that was in them. */
  spool: Readonly<{ files: number; text: string }>;
}>;

/** Load, and blows, for so long. */
export async function runSoak(stage: SoakStage, seed: number, durationMs: number): Promise<SoakRun> {
  const draws = new Draws(seed);
  const blows = blowsOf(durationMs, stage.gateways.length, draws);
  const striker = new Striker(stage);
  const until = new AbortController();
  const payments = payIn(stage, until.signal);
  const callers = new SoakCallers({ gateways: stage.gateways, keys: stage.keys, seed });
  await striker.strikeAll(blows, durationMs);
  await callers.stop();
  until.abort();
  return {
    asked: callers.asked,
    creditedMicroUsd: await payments,
    redisRestarts: striker.redisRestarts,
    spool: { files: striker.spooled.size, text: [...striker.spooled.values()].join('') },
  };
}

/** Small credits, again and again, each with a reference of its own: it may be booked once, however often it is sent. */
async function payIn({ admin }: SoakStage, until: AbortSignal): Promise<number> {
  let credits = 0;
  do {
    credits += 1;
    const body = { amount_micro_usd: CREDIT_MICRO_USD, reference: `payment ${credits}` };
    await admin.write('POST', '/tenants/paying/wallet/credits', body);
    await pause(CREDIT_EVERY_MS, null, { signal: until }).catch(() => undefined);
  } while (!until.aborted);
  return credits * CREDIT_MICRO_USD;
}

class Striker {
  redisRestarts = 0;
  /** By path. */
  readonly spooled = new Map<string, string>();
  private readonly lasting: Promise<void>[] = [];

  constructor(private readonly stage: SoakStage) {}

  async strikeAll(blows: readonly Blow[], durationMs: number): Promise<void> {
    const startedAtMs = Date.now();
    const untilMs = (atMs: number): Promise<void> => pause(Math.max(0, startedAtMs + atMs - Date.now()));
    for (const blow of blows) {
      await untilMs(blow.atMs);
      this.strike(blow);
    }
    await untilMs(durationMs);
    await Promise.all(this.lasting);
  }

  private strike(blow: Blow): void {
    const { store, redis, providers } = this.stage.parts;
    switch (blow.kind) {
      case 'kill':
        this.lookIntoSpools();
        this.stage.gateways[blow.gateway]!.kill();
        return;
      case 'store_away':
        this.lasting.push(this.watchSpools(store.goAway(blow.forMs)));
        return;
      case 'redis_away':
        if (redis !== null) this.lasting.push(this.restartRedis(blow.forMs));
        return;
      case 'account_fault':
        providers.tell(ACCOUNT_FAULT);
        return;
    }
  }

  private async restartRedis(forMs: number): Promise<void> {
    const { redis } = this.stage.parts;
    await redis!.kill();
    await pause(forMs);
    await redis!.start();
    this.redisRestarts += 1;
  }

  private async watchSpools(away: Promise<void>): Promise<void> {
    const timer = setInterval(() => this.lookIntoSpools(), 250);
    await away.finally(() => clearInterval(timer));
  }

  private lookIntoSpools(): void {
    for (const { dataDir } of this.stage.gateways) {
      const folder = join(dataDir, 'spool');
      for (const name of readdirSync(dataDir).includes('spool') ? readdirSync(folder) : []) {
        const path = join(folder, name);
        if (!this.spooled.has(path)) this.spooled.set(path, readOrNothing(path));
      }
    }
  }
}

/** A file may be written to the store, and gone, at any moment. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
