import type { AuditLog } from '../../src/usecase/port/audit-log';
import type { CatalogStore } from '../../src/usecase/port/catalog-store';
import type { Configuration } from '../../src/usecase/port/configuration';
import type { InteractionStore } from '../../src/usecase/port/interaction-store';
import type { OpenInteractions } from '../../src/usecase/port/open-interactions';
import type { PolicyStore } from '../../src/usecase/port/policy-store';
import type { TenantStore } from '../../src/usecase/port/tenant-store';

/** The stores of one process on one empty database; the contracts know the ports only. */
export type Stores = Readonly<{
  interactions: InteractionStore;
  openInteractions: OpenInteractions;
  auditLog: AuditLog;
  tenants: TenantStore;
  catalog: CatalogStore;
  policies: PolicyStore;
  configuration: Configuration;
  /** Follows what other processes wrote. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}>;

export type OpenStores = () => Promise<Stores>;
