import type { DependencyContainer } from 'tsyringe';
import { ConfigurationPoller } from '../infra/store/configuration-poller';
import { errorFactsOf } from '../infra/store/error-facts';
import type { Closers } from './gateway';
import { TOKEN } from './token';

/** Has the configuration follow what other processes write: by asking, and on PostgreSQL by listening too. */
export async function followConfiguration(container: DependencyContainer, closers: Closers): Promise<void> {
  const poller = container.resolve(ConfigurationPoller);
  poller.start();
  closers.unshift(() => Promise.resolve(poller.stop()));
  const { databaseUrl: url } = container.resolve(TOKEN.config);
  if (url === null) return;
  // Only now: a gateway on the embedded store needn't load this driver (ADR 22).
  const { ConfigurationListener } = await import('../infra/store/postgres/configuration-listener.js');
  const logger = container.resolve(TOKEN.logger);
  const listener = new ConfigurationListener({
    url,
    onChange: () => poller.hurry(),
    onLost: (error) =>
      logger.warn(errorFactsOf(error), 'not told of configuration changes; polling for them'),
  });
  listener.start();
  closers.unshift(() => listener.stop());
}
