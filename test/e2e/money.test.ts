import { join } from 'node:path';
import { DATABASE_FILE } from '../../src/container/open-store';
import { openSqliteDatabase } from '../../src/infra/store/sqlite/sqlite-database';
import type { Json } from '../support/gateway';
import type { Asked } from '../support/money/caller';
import { checkMix } from '../support/money/check-mix';
import type { Mix } from '../support/money/mix';
import { runMix } from '../support/money/run-mix';
import { seenAfter, type Seen } from '../support/money/seen';
import { MoneyStage, type MixStore } from '../support/money/stage';
import { describeOnPostgres, TestDatabase } from '../support/postgres/test-database';

/**
 * DESIGN §7: what callers, providers and our books say about the same interactions is the same, whatever became of them.
 * `npm run soak:money` asks ten times as much of both stores (CONTRIBUTING).
 */

const SOAK = process.env['SOAK_CASES'] !== undefined;
const MIX: Mix = {
  seed: Number(process.env['SOAK_SEED'] ?? 1),
  cases: Number(process.env['SOAK_CASES'] ?? 500),
  kills: Number(process.env['SOAK_KILLS'] ?? 2),
};

jest.setTimeout(SOAK ? 1_800_000 : 120_000);

const ON_SQLITE: MixStore = {
  environment: {},
  open: (dataDir) => openSqliteDatabase(join(dataDir, DATABASE_FILE)),
  remove: () => Promise.resolve(),
};

async function onPostgres(): Promise<MixStore> {
  const database = await TestDatabase.create('empty');
  return {
    environment: { DATABASE_URL: database.url.reveal() },
    open: () => database.open(),
    remove: () => database.drop(),
  };
}

async function play(store: MixStore): Promise<void> {
  const stage = await MoneyStage.start(MIX, store);
  try {
    const asked = await runMix(MIX, stage);
    const leftOpen = await stage.restart();
    while ((await stage.openInteractions()) > 0);
    const seen = await seenAfter(stage, asked);

    const { faults, ...figures } = checkMix(MIX, seen);
    if (SOAK) process.stdout.write(`${JSON.stringify({ MIX, ...figures }, null, 2)}\n`);

    expect(faults).toEqual([]);
    expect(leftOpen).toBe(0);
    expect(missingFrom(asked, figures.states)).toEqual([]);
    expect(await usageOf(stage)).toEqual(usageIn(seen));
    await expectIntact(stage, seen);
  } finally {
    await stage.stop();
    await store.remove();
  }
}

it('accounts for every call of a random mix, to the micro-USD', () => play(ON_SQLITE));

(SOAK ? describeOnPostgres : describe.skip)('on PostgreSQL', () => {
  it('accounts for every call of a random mix, to the micro-USD', async () => play(await onPostgres()));
});

/** A mix without one of these would prove less than it says. */
function missingFrom(asked: readonly Asked[], states: Readonly<Record<string, number>>): readonly string[] {
  const wanted = ['served', 'failed', 'refused', 'cancelled', 'partial', 'interrupted'];
  const seen: Readonly<Record<string, boolean>> = {
    replayed: asked.some(({ replayed }) => replayed),
    in_progress: asked.some(({ text }) => text.includes('idempotency_in_progress')),
    reused: asked.some(({ text }) => text.includes('idempotency_key_reused')),
    out_of_money: asked.some(({ text }) => text.includes('insufficient_balance')),
    killed: asked.some(({ end }) => end === 'killed'),
  };
  return [
    ...wanted.filter((state) => states[state] === undefined),
    ...Object.keys(seen).filter((way) => !seen[way]),
  ];
}

type Usage = Readonly<{ interactions: number; cost_micro_usd: number; cost_unknown: number }>;

async function usageOf(stage: MoneyStage): Promise<Usage> {
  const usage = await stage.admin('/tenants/demo/usage?group_by=key&from=0&to=4102444800000');
  const [row] = usage['data'] as Json;
  return {
    interactions: Number(row!['interactions']),
    cost_micro_usd: Number(row!['cost_micro_usd']),
    cost_unknown: Number(row!['cost_unknown']),
  };
}

function usageIn({ interactions }: Seen): Usage {
  const own = interactions.filter(({ tenant }) => tenant === 'demo');
  return {
    interactions: new Set(own.map(({ billableId }) => billableId)).size,
    cost_micro_usd: own.reduce((sum, { cost_micro_usd: cost }) => sum + (cost ?? 0), 0),
    cost_unknown: 0,
  };
}

async function expectIntact(stage: MoneyStage, { interactions }: Seen): Promise<void> {
  const verification = await stage.admin('/audit/verify');
  const verified = (verification['chains'] as Json).reduce(
    (sum, chain) => sum + Number(chain['verified']),
    0,
  );
  const { code, output } = await stage.run('audit', 'verify');
  expect([verification['intact'], verification['breaks']]).toEqual([true, []]);
  expect(verified).toBeGreaterThan(interactions.length);
  for (const tenant of ['demo', 'poor']) {
    expect(await stage.admin(`/tenants/${tenant}/wallet/verify`)).toMatchObject({ consistent: true });
  }
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('\nintact\n') });
}
