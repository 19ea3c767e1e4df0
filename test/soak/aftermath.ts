import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../../src/infra/store/schema';
import {
  interactionsIn,
  letDeadlinesPass,
  openInteractionsIn,
  type SeenInteraction,
} from '../support/money/stored-interactions';
import type { ProcessEnd } from '../support/gateway-process';
import type { SoakCall } from './soak-call';
import type { SoakRun } from './soak-run';
import type { SoakStage } from './soak-stage';

/** Longer than a reconciliation and the one after it. */
const SETTLE_MS = 150_000;

/** Everything that callers, providers, gateways and stores know when a run is over. */
export type Aftermath = Readonly<{
  run: SoakRun;
  stage: SoakStage;
  calls: readonly SoakCall[];
  interactions: readonly SeenInteraction[];
  leftOpen: number;
  /** What the product itself says of the wallet. */
  books: Readonly<Record<string, unknown>>;
  verified: ProcessEnd;
  /** Tables in which a text stands that belongs nowhere. */
  tablesWith: (text: string) => Promise<readonly string[]>;
  close: () => Promise<void>;
}>;

/** Stops the gateways as an operator does, lets the next start reconcile, and looks at what they leave. */
export async function aftermathOf(stage: SoakStage, run: SoakRun): Promise<Aftermath> {
  await Promise.all(stage.gateways.map((gateway) => gateway.stop()));
  const store = stage.parts.store.open();
  await letDeadlinesPass(store);
  for (const gateway of stage.gateways) gateway.startAgain();
  await Promise.all(stage.gateways.map((gateway) => gateway.untilReady()));
  const leftOpen = await untilNothingIsOpen(store);
  const books = await stage.admin.read('/tenants/paying/wallet/verify');
  await Promise.all(stage.gateways.map((gateway) => gateway.stop()));
  return {
    run,
    stage,
    calls: await stage.parts.providers.calls(),
    interactions: await interactionsIn(store),
    leftOpen,
    books,
    verified: await stage.run('audit', 'verify'),
    tablesWith: (text) => tablesWith(store, text),
    close: () => store.destroy(),
  };
}

/** Resolves with how many still are when there was time enough. */
async function untilNothingIsOpen(store: Kysely<StoreSchema>): Promise<number> {
  const untilMs = Date.now() + SETTLE_MS;
  for (;;) {
    const open = await openInteractionsIn(store);
    if (open === 0 || Date.now() > untilMs) return open;
    await pause(200);
  }
}

async function tablesWith(store: Kysely<StoreSchema>, text: string): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(store);
  const found: string[] = [];
  for (const { name } of rows) {
    const row = sql`select 1 from ${sql.table(name)} as r where position(${text} in r::text) > 0 limit 1`;
    if ((await row.execute(store)).rows.length > 0) found.push(name);
  }
  return found;
}
