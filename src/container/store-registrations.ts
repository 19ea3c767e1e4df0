import type { DependencyContainer } from 'tsyringe';
import { SqlAuditLog } from '../infra/store/audit-log';
import { SqlCatalogStore } from '../infra/store/catalog-store';
import { ConfigurationCache } from '../infra/store/configuration-cache';
import { ConfigurationPoller } from '../infra/store/configuration-poller';
import { ConfigurationRows } from '../infra/store/configuration-rows';
import { ConfigurationWriter } from '../infra/store/configuration-writer';
import { GroupCommit } from '../infra/store/group-commit';
import { SqlInteractionStore } from '../infra/store/interaction-store';
import { SqlOpenInteractions } from '../infra/store/open-interactions';
import { SqlPolicyStore } from '../infra/store/policy-store';
import { SqliteInteractionCommitter } from '../infra/store/sqlite/sqlite-interaction-committer';
import { SqlTenantStore } from '../infra/store/tenant-store';
import { MeteredInteractionStore } from '../infra/telemetry/metered-interaction-store';
import { Metrics } from '../infra/telemetry/metrics';
import { singleton } from './singleton';
import { TOKEN } from './token';

/** The stores over the opened database, and the configuration that is read from memory. */
export function registerStores(container: DependencyContainer): void {
  const db = (c: DependencyContainer) => c.resolve(TOKEN.database).kysely;
  singleton(container, ConfigurationCache, (c) => new ConfigurationCache(new ConfigurationRows(db(c))));
  singleton(
    container,
    ConfigurationWriter,
    (c) => new ConfigurationWriter(db(c), c.resolve(ConfigurationCache)),
  );
  singleton(container, ConfigurationPoller, (c) => {
    const logger = c.resolve(TOKEN.logger);
    return new ConfigurationPoller(c.resolve(ConfigurationCache), (error) =>
      logger.warn({ err: error }, 'configuration not refreshed; serving what is known'),
    );
  });
  singleton(
    container,
    TOKEN.groupCommit,
    (c) => new GroupCommit(new SqliteInteractionCommitter(c.resolve(TOKEN.database))),
  );
  singleton(container, TOKEN.configuration, (c) => c.resolve(ConfigurationCache));
  singleton(container, TOKEN.tenants, (c) => new SqlTenantStore(c.resolve(ConfigurationWriter)));
  singleton(container, TOKEN.catalogStore, (c) => new SqlCatalogStore(c.resolve(ConfigurationWriter)));
  singleton(container, TOKEN.policies, (c) => new SqlPolicyStore(db(c), c.resolve(ConfigurationWriter)));
  singleton(container, TOKEN.auditLog, (c) => new SqlAuditLog(db(c)));
  singleton(container, TOKEN.openInteractions, (c) => new SqlOpenInteractions(db(c)));
  singleton(container, TOKEN.interactions, (c) => {
    const store = new SqlInteractionStore(c.resolve(TOKEN.groupCommit));
    return new MeteredInteractionStore(store, c.resolve(Metrics), c.resolve(TOKEN.logger));
  });
}
