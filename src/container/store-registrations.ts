import type { DependencyContainer } from 'tsyringe';
import { SqlAuditLog } from '../infra/store/audit-log';
import { SqlAuditChains } from '../infra/store/audit-chains';
import { SqlAuditRetention } from '../infra/store/audit-retention';
import { SqlCatalogStore } from '../infra/store/catalog-store';
import { ChainWriter } from '../infra/store/chain-writer';
import { ChainedChanges } from '../infra/store/chained-changes';
import { SqlChangeLog } from '../infra/store/change-log';
import { CommitWitness } from '../infra/store/commit-witness';
import { ConfigurationCache } from '../infra/store/configuration-cache';
import { ConfigurationPoller } from '../infra/store/configuration-poller';
import { ConfigurationRows } from '../infra/store/configuration-rows';
import { ConfigurationWriter } from '../infra/store/configuration-writer';
import { GroupCommit } from '../infra/store/group-commit';
import { SqlOpenInteractions } from '../infra/store/open-interactions';
import { SqlPolicyStore } from '../infra/store/policy-store';
import {
  announcementOn,
  commitLimits,
  configurationConnection,
  interactionCommitter,
  plannerHints,
} from '../infra/store/store-database';
import { SqlTenantStore } from '../infra/store/tenant-store';
import { SqlUsageReports } from '../infra/store/usage-reports';
import { SqlWalletStore } from '../infra/store/wallet-store';
import { sha256 } from '../infra/runtime/sha256';
import { singleton } from './singleton';
import { TOKEN } from './token';

/** The stores over the opened database, and the configuration that is read from memory. */
export function registerStores(container: DependencyContainer): void {
  registerAuditTrail(container);
  registerInteractions(container);
  registerWallets(container);
  const db = (c: DependencyContainer) => c.resolve(TOKEN.database).kysely;
  singleton(container, ConfigurationCache, (c) => new ConfigurationCache(new ConfigurationRows(db(c))));
  singleton(
    container,
    ConfigurationWriter,
    (c) =>
      new ConfigurationWriter({
        changes: c.resolve(ChainedChanges),
        announce: announcementOn(c.resolve(TOKEN.database)),
        follower: c.resolve(ConfigurationCache),
      }),
  );
  singleton(container, ConfigurationPoller, (c) => {
    const logger = c.resolve(TOKEN.logger);
    return new ConfigurationPoller(c.resolve(ConfigurationCache), (error) =>
      logger.warn({ err: error }, 'configuration not refreshed; serving what is known'),
    );
  });
  singleton(container, TOKEN.configuration, (c) => c.resolve(ConfigurationCache));
  singleton(container, TOKEN.tenants, (c) => new SqlTenantStore(c.resolve(ConfigurationWriter)));
  singleton(container, TOKEN.catalogStore, (c) => new SqlCatalogStore(c.resolve(ConfigurationWriter)));
  singleton(container, TOKEN.policies, (c) => new SqlPolicyStore(db(c), c.resolve(ConfigurationWriter)));
}

function registerInteractions(container: DependencyContainer): void {
  singleton(container, CommitWitness, (c) => {
    const committer = interactionCommitter(c.resolve(TOKEN.database), c.resolve(ChainWriter));
    return new CommitWitness(committer, c.resolve(TOKEN.clock));
  });
  singleton(
    container,
    TOKEN.groupCommit,
    (c) => new GroupCommit(c.resolve(CommitWitness), commitLimits(c.resolve(TOKEN.database))),
  );
  singleton(container, TOKEN.auditLog, (c) => {
    const database = c.resolve(TOKEN.database);
    return new SqlAuditLog(database.kysely, plannerHints(database));
  });
  singleton(
    container,
    TOKEN.openInteractions,
    (c) => new SqlOpenInteractions(c.resolve(TOKEN.database).kysely),
  );
}

function registerWallets(container: DependencyContainer): void {
  singleton(
    container,
    TOKEN.wallets,
    (c) =>
      new SqlWalletStore({
        db: c.resolve(TOKEN.database).kysely,
        changes: c.resolve(ChainedChanges),
        writer: c.resolve(ConfigurationWriter),
        nowMs: () => c.resolve(TOKEN.clock).nowMs(),
      }),
  );
}

/** The chain of this process, and what reads and purges the chains of all. */
function registerAuditTrail(container: DependencyContainer): void {
  const db = (c: DependencyContainer) => c.resolve(TOKEN.database).kysely;
  const nowMs = (c: DependencyContainer) => () => c.resolve(TOKEN.clock).nowMs();
  singleton(
    container,
    ChainWriter,
    (c) =>
      new ChainWriter({
        hash: sha256,
        newWriter: () => c.resolve(TOKEN.ids).next('wri'),
        nowMs: nowMs(c),
      }),
  );
  singleton(
    container,
    ChainedChanges,
    (c) =>
      new ChainedChanges({
        db: configurationConnection(c.resolve(TOKEN.database)),
        chain: c.resolve(ChainWriter),
        newId: () => c.resolve(TOKEN.ids).next('chg'),
        nowMs: nowMs(c),
        author: () => c.resolve(TOKEN.changeAuthor).current(),
      }),
  );
  singleton(container, TOKEN.auditChains, (c) => new SqlAuditChains(db(c)));
  singleton(container, TOKEN.changeLog, (c) => new SqlChangeLog(db(c)));
  singleton(container, TOKEN.usageReports, (c) => new SqlUsageReports(db(c)));
  singleton(container, TOKEN.auditRetention, (c) => {
    const changes = c.resolve(ChainedChanges);
    return new SqlAuditRetention({ db: db(c), changes, hash: sha256 });
  });
}
