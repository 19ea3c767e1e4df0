import type { InjectionToken } from 'tsyringe';
import type { BreakerSettings } from '../domain/health/circuit-breaker';
import type { Config } from '../infra/config/config';
import type { RedisConnection } from '../infra/redis/redis-connection';
import type { GroupCommit } from '../infra/store/group-commit';
import type { InteractionWrite, InteractionWritten } from '../infra/store/interaction-store';
import type { StoreDatabase } from '../infra/store/store-database';
import type { CredentialResolver } from '../infra/provider/transport/credential-resolver';
import type { ArchiveStore } from '../usecase/port/archive-store';
import type { AuditChains } from '../usecase/port/audit-chains';
import type { AuditLog } from '../usecase/port/audit-log';
import type { AuditRetention } from '../usecase/port/audit-retention';
import type { CanaryTallies } from '../usecase/port/canary-tallies';
import type { CatalogStore } from '../usecase/port/catalog-store';
import type { ChangeAuthor } from '../usecase/port/change-author';
import type { ChangeLog } from '../usecase/port/change-log';
import type { ChatProviders } from '../usecase/port/chat-provider';
import type { Clock } from '../usecase/port/clock';
import type { Configuration } from '../usecase/port/configuration';
import type { IdempotencyKeys } from '../usecase/port/idempotency-keys';
import type { IdempotencySecrets } from '../usecase/port/idempotency-secrets';
import type { IdGenerator } from '../usecase/port/id-generator';
import type { IncidentLog } from '../usecase/port/incident-log';
import type { InteractionStore } from '../usecase/port/interaction-store';
import type { ModelLister } from '../usecase/port/model-lister';
import type { OpenInteractions } from '../usecase/port/open-interactions';
import type { PolicyStore } from '../usecase/port/policy-store';
import type { PriceList } from '../usecase/port/price-list';
import type { ProbeStore } from '../usecase/port/probe-store';
import type { Random } from '../usecase/port/random';
import type { RequestRates } from '../usecase/port/request-rates';
import type { RouteHealthStore } from '../usecase/port/route-health';
import type { SecretGenerator } from '../usecase/port/secret-generator';
import type { Sharing } from '../usecase/port/sharing';
import type { Sleeper } from '../usecase/port/sleeper';
import type { TenantStore } from '../usecase/port/tenant-store';
import type { TrialSlots } from '../usecase/port/trial-slots';
import type { WalletStore } from '../usecase/port/wallet-store';
import type { UsageReports } from '../usecase/port/usage-reports';
import type { Timer } from '../usecase/port/timer';
import type { Logger } from 'pino';

function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** Names of what has no class of its own: ports, settings, and what is opened before the container is built. */
export const TOKEN = {
  config: token<Config>('config'),
  logger: token<Logger>('logger'),
  database: token<StoreDatabase>('database'),
  groupCommit: token<GroupCommit<InteractionWrite, InteractionWritten>>('group commit'),
  breaker: token<BreakerSettings>('breaker settings'),
  /** Aborted when running interactions have to end, at the end of the grace period. */
  shutdown: token<AbortSignal>('shutdown'),
  secretKey: token<Buffer>('secret key'),
  credentials: token<CredentialResolver>('credentials'),
  /** Null: none is configured, and each process learns alone. Registered by the start (`openRedis`). */
  redis: token<RedisConnection | null>('Redis'),
  clock: token<Clock>('Clock'),
  random: token<Random>('Random'),
  sleeper: token<Sleeper>('Sleeper'),
  timer: token<Timer>('Timer'),
  ids: token<IdGenerator>('IdGenerator'),
  secrets: token<SecretGenerator>('SecretGenerator'),
  configuration: token<Configuration>('Configuration'),
  tenants: token<TenantStore>('TenantStore'),
  catalogStore: token<CatalogStore>('CatalogStore'),
  policies: token<PolicyStore>('PolicyStore'),
  interactions: token<InteractionStore>('InteractionStore'),
  openInteractions: token<OpenInteractions>('OpenInteractions'),
  auditLog: token<AuditLog>('AuditLog'),
  auditChains: token<AuditChains>('AuditChains'),
  auditRetention: token<AuditRetention>('AuditRetention'),
  archive: token<ArchiveStore>('ArchiveStore'),
  changeAuthor: token<ChangeAuthor>('ChangeAuthor'),
  changeLog: token<ChangeLog>('ChangeLog'),
  usageReports: token<UsageReports>('UsageReports'),
  wallets: token<WalletStore>('WalletStore'),
  canaryTallies: token<CanaryTallies>('CanaryTallies'),
  health: token<RouteHealthStore>('RouteHealthStore'),
  rates: token<RequestRates>('RequestRates'),
  trials: token<TrialSlots>('TrialSlots'),
  sharing: token<Sharing>('Sharing'),
  probes: token<ProbeStore>('ProbeStore'),
  models: token<ModelLister>('ModelLister'),
  idempotencyKeys: token<IdempotencyKeys>('IdempotencyKeys'),
  idempotencySecrets: token<IdempotencySecrets>('IdempotencySecrets'),
  incidents: token<IncidentLog>('IncidentLog'),
  prices: token<PriceList>('PriceList'),
  providers: token<ChatProviders>('ChatProviders'),
} as const;
