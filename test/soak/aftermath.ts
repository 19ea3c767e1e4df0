import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../../src/infra/store/schema';
import type { SeenInteraction } from '../support/money/seen';
import type { ProcessEnd } from '../support/gateway-process';
import { tagIn } from './question';
import type { SoakCall } from './soak-providers';
import type { SoakRun } from './soak-run';
import type { SoakStage } from './soak-stage';

/** Longer than a reconciliation and the one after it. */
const SETTLE_MS = 150_000;
/** Nobody waits for a deadline when all is over. */
const PAST_MS = 600_000;

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

async function letDeadlinesPass(store: Kysely<StoreSchema>): Promise<void> {
  await store
    .updateTable('interactions')
    .set((row) => ({ deadline_at: row('deadline_at', '-', PAST_MS) }))
    .where('closed_at', 'is', null)
    .execute();
}

/** Resolves with how many still are when there was time enough. */
async function untilNothingIsOpen(store: Kysely<StoreSchema>): Promise<number> {
  const untilMs = Date.now() + SETTLE_MS;
  for (;;) {
    const open = await store
      .selectFrom('interactions')
      .select('request_id')
      .where('closed_at', 'is', null)
      .execute();
    if (open.length === 0 || Date.now() > untilMs) return open.length;
    await pause(200);
  }
}

async function interactionsIn(store: Kysely<StoreSchema>): Promise<readonly SeenInteraction[]> {
  const rows = await store.selectFrom('interactions').selectAll().orderBy('request_id').execute();
  const attempts = await store.selectFrom('attempts').selectAll().orderBy('number').execute();
  const attemptsOf = new Map(rows.map(({ request_id: id }) => [id, [] as typeof attempts]));
  for (const attempt of attempts) attemptsOf.get(attempt.request_id)?.push(attempt);
  return rows.map((row) => ({
    ...row,
    billableId: row.billable_id ?? '',
    callerId: row.parent_request_id ?? '',
    tag: tagIn(row.parent_request_id ?? ''),
    attempts: attemptsOf.get(row.request_id) ?? [],
  }));
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
