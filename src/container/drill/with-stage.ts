import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DependencyContainer } from 'tsyringe';
import type { Overrides } from '../../container';
import type { Config } from '../../infra/config/config';
import { DrillCaller } from '../../infra/drill/drill-caller';
import { HeldSleeper } from '../../infra/drill/held-sleeper';
import { HURRIED_BACKOFF, HURRIED_LIMIT, HurriedTimer } from '../../infra/drill/hurried-timer';
import { PassingClock } from '../../infra/drill/passing-clock';
import { SystemClock } from '../../infra/runtime/system-clock';
import { SystemSleeper } from '../../infra/runtime/system-sleeper';
import { SystemTimer } from '../../infra/runtime/system-timer';
import { ChainWriter } from '../../infra/store/chain-writer';
import { GroupCommit } from '../../infra/store/group-commit';
import type { InteractionWrite, InteractionWritten } from '../../infra/store/interaction-store';
import { SqliteInteractionCommitter } from '../../infra/store/sqlite/sqlite-interaction-committer';
import type { TenantFacts } from '../../usecase/drill/program';
import type { RehearsalStage } from '../../usecase/port/rehearsal-stage';
import { DATABASE_FILE } from '../open-store';
import { singleton } from '../singleton';
import { startGateway } from '../start-gateway';
import { TOKEN } from '../token';
import { GatewayStage } from './gateway-stage';
import { seedStore } from './seed-store';
import { SimulatedProviders } from './simulated-providers';

/** How long the gateway's store waits for a lock: it is ours in a drill, and given back only afterwards. */
const LOCK_PATIENCE_MS = 20;

export type StageOptions = Readonly<{
  config: Config;
  logger: Logger;
  facts: TenantFacts;
  /** Breaks a part of the gateway on purpose: a drill that doesn't notice proves nothing. */
  overrides?: Overrides;
}>;

/** Sets a stage up, with a store and a port of its own, and takes it down again whatever happens on it. */
export async function withStage<T>(
  options: StageOptions,
  work: (stage: RehearsalStage) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-drill-'));
  const apiKey = `drill-${randomBytes(16).toString('hex')}`;
  const providers = await SimulatedProviders.start(options.facts.catalog, apiKey);
  try {
    return await onStage(
      { ...options, config: drillConfig(options.config, dataDir) },
      providers,
      apiKey,
      work,
    );
  } finally {
    await providers.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function quicklyLost(c: DependencyContainer): GroupCommit<InteractionWrite, InteractionWritten> {
  const database = c.resolve(TOKEN.database);
  if (database.kind !== 'sqlite') throw new Error('A drill has an embedded store of its own.');
  return new GroupCommit(new SqliteInteractionCommitter(database, c.resolve(ChainWriter), LOCK_PATIENCE_MS));
}

async function onStage<T>(
  { config, logger, facts, overrides }: StageOptions,
  providers: SimulatedProviders,
  apiKey: string,
  work: (stage: RehearsalStage) => Promise<T>,
): Promise<T> {
  const keyFile = join(config.dataDir, 'provider.key');
  writeFileSync(keyFile, apiKey, { mode: 0o600 });
  const key = await seedStore({ config, logger, facts, providers, credentialRef: `file:${keyFile}` });
  const time = hurriedTime();
  const { gateway, container } = await startGateway({
    config,
    logger,
    overrides: (inner) => {
      registerTime(inner, time);
      singleton(inner, TOKEN.groupCommit, quicklyLost);
      overrides?.(inner);
    },
  });
  try {
    const caller = new DrillCaller(gateway.baseUrl, key);
    const databasePath = join(config.dataDir, DATABASE_FILE);
    return await work(
      new GatewayStage({ container, providers, caller, sleeper: time.sleeper, databasePath }),
    );
  } finally {
    await gateway.stop();
  }
}

/** The operator's settings, but for what would touch the real store, the real port or a real provider. */
function drillConfig(config: Config, dataDir: string): Config {
  return {
    ...config,
    host: '127.0.0.1',
    port: 0,
    dataDir,
    databaseUrl: null,
    secretKey: null,
    // What breaks in a drill must not open circuits of the real gateways.
    redis: null,
    sandbox: 'off',
    credentials: [],
    privateChannelUrls: 'allowed',
    shutdownGraceMs: 0,
  };
}

type HurriedTime = Readonly<{ clock: PassingClock; timer: HurriedTimer; sleeper: HeldSleeper }>;

/** The one thing that isn't as in production: waiting. The clock goes on by all of it, so that every number stays true. */
function hurriedTime(): HurriedTime {
  const clock = new PassingClock(new SystemClock());
  const real = new SystemTimer();
  return {
    clock,
    timer: new HurriedTimer(real, clock, HURRIED_LIMIT),
    sleeper: new HeldSleeper(new SystemSleeper(new HurriedTimer(real, clock, HURRIED_BACKOFF))),
  };
}

function registerTime(container: DependencyContainer, { clock, timer, sleeper }: HurriedTime): void {
  container.register(TOKEN.clock, { useValue: clock });
  container.register(TOKEN.timer, { useValue: timer });
  container.register(TOKEN.sleeper, { useValue: sleeper });
}
