import type { Server } from 'node:http';
import type { DependencyContainer } from 'tsyringe';
import type { Logger } from 'pino';
import type { Overrides } from '../container';
import { FirstRun, type FirstKeys } from '../delivery/cli/first-run';
import type { Readiness } from '../delivery/http/operations/operations-router';
import type { Config } from '../infra/config/config';
import { UpstreamTransport } from '../infra/provider/transport/upstream-transport';
import { Sandbox } from '../infra/sandbox/sandbox';
import { SandboxCredentials } from '../infra/sandbox/sandbox-credentials';
import { CommitWitness } from '../infra/store/commit-witness';
import { ConfigurationCache } from '../infra/store/configuration-cache';
import { StoreProbe } from '../infra/store/store-probe';
import { requestConnection } from '../infra/store/store-database';
import { sandboxChosen, sandboxConflict } from '../usecase/setup/sandbox-choice';
import { SetUpCatalog } from '../usecase/setup/set-up-catalog';
import { checkSecretKey } from './check-secret-key';
import { checkSpool } from './check-spool';
import { Gateway, httpServer, listen, type Closers } from './gateway';
import { httpListener } from './http-registrations';
import { followConfiguration } from './follow-configuration';
import { openStore } from './open-store';
import { openRedis } from './redis-registrations';
import { realChannels, sandboxChannels } from './starter-channels';
import { startWorkers } from './start-workers';
import { TOKEN } from './token';
import { adminUseCases } from './usecase-registrations';

export type StartOptions = Readonly<{ config: Config; logger: Logger; overrides?: Overrides }>;

export type Started = Readonly<{
  gateway: Gateway;
  container: DependencyContainer;
  sandbox: Sandbox | null;
  /** Null: this was no first run. */
  keys: FirstKeys | null;
  /** Those that a request can reach. */
  providers: readonly string[];
}>;

/** By then a closing record is on disk that the store has not taken, and its caller can be told how his stream ended. */
const FINAL_MS = 6_000;

/** Opens the store, sets up what a start sets up, and listens. Whatever fails is closed again before it rejects. */
export async function startGateway({ config, logger, overrides }: StartOptions): Promise<Started> {
  const store = await openStore(config, logger, overrides);
  const { container } = store;
  const closers: Closers = [() => store.close()];
  try {
    await checkSecretKey(container);
    await checkSpool(container);
    await openRedis(container, closers);
    const sandbox = await startSandbox(container, closers);
    await container
      .resolve(SetUpCatalog)
      .execute(sandbox === null ? realChannels(config) : sandboxChannels(sandbox));
    await followConfiguration(container, closers);
    startWorkers(container, closers);
    closers.unshift(() => container.resolve(UpstreamTransport).close());
    const stop = new AbortController();
    const readiness = readinessOf(container, stop.signal);
    const server = httpServer(httpListener(container, { readiness, sandbox }));
    const baseUrl = await listen(server, config);
    closers.unshift(() => closed(server));
    // Only now: the keys of a start that could not listen would be stored, and never shown.
    const keys = await firstRun(container);
    const endInteractions = (): void => store.shutdown.abort();
    const gateway = new Gateway(baseUrl, {
      server,
      announceStop: () => stop.abort(),
      stopDelayMs: config.shutdownDelayMs,
      endInteractions,
      graceMs: config.shutdownGraceMs,
      finalMs: FINAL_MS,
      closers,
    });
    return { gateway, container, sandbox, keys, providers: providersOf(container) };
  } catch (error) {
    for (const close of closers) await close();
    throw error;
  }
}

async function startSandbox(container: DependencyContainer, closers: Closers): Promise<Sandbox | null> {
  const config = container.resolve(TOKEN.config);
  const catalog = container.resolve(TOKEN.configuration).catalog();
  const chosen = sandboxChosen({
    setting: config.sandbox,
    credentialsPresent: config.credentials.length > 0,
    catalog,
  });
  if (!chosen) return null;
  const conflict = sandboxConflict(catalog);
  if (conflict !== null) throw new Error(conflict);
  const sandbox = await Sandbox.start(container.resolve(SandboxCredentials));
  closers.unshift(() => sandbox.stop());
  return sandbox;
}

/** After `Gateway.stop` there is nothing left to close, which is no failure. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function firstRun(container: DependencyContainer): Promise<FirstKeys | null> {
  const configuration = container.resolve(ConfigurationCache);
  return container.resolve(TOKEN.database).inTurn(async () => {
    // Another replica may have had its first run meanwhile: then this is none.
    await configuration.refresh();
    return new FirstRun({ configuration, ...adminUseCases(container) }).execute();
  });
}

/** A provider without a channel that is on answers nobody, as those of a sandbox that is over. */
function providersOf(container: DependencyContainer): readonly string[] {
  const { channels } = container.resolve(TOKEN.configuration).catalog();
  const enabled = [...channels.values()].filter((channel) => channel.enabled);
  return [...new Set(enabled.map(({ provider }) => provider))];
}

/** Ready means that an interaction could be recorded, and that this process is here to stay. */
function readinessOf(container: DependencyContainer, stop: AbortSignal): Readiness {
  const probe = new StoreProbe(
    requestConnection(container.resolve(TOKEN.database)),
    container.resolve(TOKEN.clock),
  );
  const commits = container.resolve(CommitWitness);
  return {
    notReadyBecause: async () => {
      if (stop.aborted) return 'this process is stopping';
      const takesWrites = (await probe.takesWrites()) && !commits.isFailing();
      return takesWrites ? null : 'the audit store takes no writes';
    },
  };
}
