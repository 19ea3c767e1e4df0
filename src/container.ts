import { container as root, type DependencyContainer } from 'tsyringe';
import { registerIdempotency } from './container/idempotency-registrations';
import { registerArchive } from './container/archive-registrations';
import { registerInteractions } from './container/interaction-registrations';
import { registerProviders } from './container/provider-registrations';
import { registerRedis } from './container/redis-registrations';
import { registerRuntime } from './container/runtime-registrations';
import { registerStatus } from './container/status-registrations';
import { registerStores } from './container/store-registrations';
import { TOKEN } from './container/token';
import {
  registerChat,
  registerQueries,
  registerRetention,
  registerUpkeep,
} from './container/usecase-registrations';
import type { Config } from './infra/config/config';
import type { StoreDatabase } from './infra/store/store-database';
import type { Logger } from 'pino';

/** What exists before the container: it was read, opened or made by the start. */
export type Given = Readonly<{
  config: Config;
  logger: Logger;
  database: StoreDatabase;
  secretKey: Buffer;
  shutdown: AbortSignal;
}>;

/** Registrations that replace ours, e.g. fakes in place of ports. */
export type Overrides = (container: DependencyContainer) => void;

/** Builds the whole graph. Nothing is kept globally: every gateway, and every test, has a container of its own. */
export function createContainer(given: Given, overrides: Overrides = () => undefined): DependencyContainer {
  const container = root.createChildContainer();
  container.register(TOKEN.config, { useValue: given.config });
  container.register(TOKEN.logger, { useValue: given.logger });
  container.register(TOKEN.database, { useValue: given.database });
  container.register(TOKEN.secretKey, { useValue: given.secretKey });
  container.register(TOKEN.shutdown, { useValue: given.shutdown });
  registerRuntime(container);
  registerRedis(container);
  registerStores(container);
  registerInteractions(container);
  registerProviders(container);
  registerIdempotency(container);
  registerChat(container);
  registerQueries(container);
  registerUpkeep(container);
  registerRetention(container);
  registerArchive(container);
  registerStatus(container);
  overrides(container);
  return container;
}
