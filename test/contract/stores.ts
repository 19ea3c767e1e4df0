import type { ArchiveStore } from '../../src/usecase/port/archive-store';
import type { AuditLog } from '../../src/usecase/port/audit-log';
import type { AuditChains } from '../../src/usecase/port/audit-chains';
import type { AuditRetention } from '../../src/usecase/port/audit-retention';
import type { CatalogStore } from '../../src/usecase/port/catalog-store';
import type { ChangeAuthor } from '../../src/usecase/port/change-author';
import type { ChangeLog } from '../../src/usecase/port/change-log';
import type { Configuration } from '../../src/usecase/port/configuration';
import type { IdempotencyKeys } from '../../src/usecase/port/idempotency-keys';
import type { InteractionStore } from '../../src/usecase/port/interaction-store';
import type { OpenInteractions } from '../../src/usecase/port/open-interactions';
import type { PolicyStore } from '../../src/usecase/port/policy-store';
import type { ProviderMinutes } from '../../src/usecase/port/provider-minutes';
import type { TenantStore } from '../../src/usecase/port/tenant-store';
import type { WalletStore } from '../../src/usecase/port/wallet-store';
import type { UsageReports } from '../../src/usecase/port/usage-reports';

/** The stores of one process on one empty database; the contracts know the ports only. */
export type Stores = Readonly<{
  interactions: InteractionStore;
  openInteractions: OpenInteractions;
  idempotencyKeys: IdempotencyKeys;
  auditLog: AuditLog;
  auditChains: AuditChains;
  auditRetention: AuditRetention;
  changeLog: ChangeLog;
  usageReports: UsageReports;
  /** On whose behalf a write is made. */
  author: ChangeAuthor;
  tenants: TenantStore;
  catalog: CatalogStore;
  wallets: WalletStore;
  archive: ArchiveStore;
  providerMinutes: ProviderMinutes;
  policies: PolicyStore;
  configuration: Configuration;
  /** Follows what other processes wrote. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}>;

export type OpenStores = () => Promise<Stores>;
