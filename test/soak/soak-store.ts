import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { SecretUrl } from '../../src/infra/config/secret-url';
import { openPool } from '../../src/infra/store/postgres/postgres-pool';
import type { StoreSchema } from '../../src/infra/store/schema';
import { OwnServer } from '../support/postgres/own-server';

/** While the server was away for sure, and when it may have been. */
export type Outage = Readonly<{
  beginsAtMs: number;
  awayFromMs: number;
  awayUntilMs: number;
  endsAtMs: number;
}>;

export function secondsAway({ awayFromMs, awayUntilMs }: Outage): number {
  return (awayUntilMs - awayFromMs) / 1_000;
}

/** The PostgreSQL of a soak, which goes away and comes back. */
export class SoakStore {
  readonly outages: Outage[] = [];
  private leaving: number | null = null;

  private constructor(private readonly server: OwnServer) {}

  static async start(): Promise<SoakStore> {
    return new SoakStore(await OwnServer.start());
  }

  get url(): string {
    return this.server.url;
  }

  async goAway(forMs: number): Promise<void> {
    const beginsAtMs = Date.now();
    this.leaving = beginsAtMs;
    await this.server.stop();
    const awayFromMs = Date.now();
    await pause(forMs);
    const awayUntilMs = Date.now();
    await this.server.restart();
    this.leaving = null;
    this.outages.push({ beginsAtMs, awayFromMs, awayUntilMs, endsAtMs: Date.now() });
  }

  /** Whether it was there all the time, as far as anybody can know. */
  wasThere(fromMs: number, toMs: number): boolean {
    const isOver = this.leaving === null || this.leaving > toMs;
    return isOver && this.outages.every(({ beginsAtMs, endsAtMs }) => endsAtMs < fromMs || beginsAtMs > toMs);
  }

  /** To look at what the gateways have written, as they have left it. */
  open(): Kysely<StoreSchema> {
    const url = SecretUrl.parse(this.url, ['postgres:'])!;
    const pool = openPool('reading', { url, size: 2, onLost: () => undefined });
    return new Kysely({ dialect: new PostgresDialect({ pool }) });
  }

  async remove(): Promise<void> {
    await this.server.remove();
  }
}
