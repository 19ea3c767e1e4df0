import type { ApiKeyRow } from './api-key-row';
import type { ArchiveEntryRow } from './archive-row';
import type { AttemptRow } from './attempt-row';
import type { AuditBaselineRow, AuditChainRow } from './audit-chain-row';
import type { ChannelRow, ModelRow, OfferingRow, ProviderRow } from './catalog-row';
import type { ChangeRow } from './change-row';
import type { IdempotencyKeyRow } from './idempotency-row';
import type { InteractionRow } from './interaction-row';
import type { OfferingChecksRow } from './offering-checks-row';
import type { CurrentPolicyRow, PolicyVersionRow } from './policy-row';
import type { ProviderMinuteRow } from './provider-minute-row';
import type { SecretKeyMarkRow } from './secret-key-mark-row';
import type { TenantRow } from './tenant-row';
import type { WalletEntryRow, WalletRow } from './wallet-row';

/** The tables as the newest migration leaves them. */
export interface StoreSchema {
  tenants: TenantRow;
  api_keys: ApiKeyRow;
  providers: ProviderRow;
  channels: ChannelRow;
  models: ModelRow;
  offerings: OfferingRow;
  offering_checks: OfferingChecksRow;
  routing_policy_versions: PolicyVersionRow;
  routing_policies: CurrentPolicyRow;
  interactions: InteractionRow;
  attempts: AttemptRow;
  idempotency_keys: IdempotencyKeyRow;
  wallets: WalletRow;
  wallet_entries: WalletEntryRow;
  archive_entries: ArchiveEntryRow;
  audit_chains: AuditChainRow;
  audit_baseline: AuditBaselineRow;
  audit_changes: ChangeRow;
  provider_minutes: ProviderMinuteRow;
  secret_key_mark: SecretKeyMarkRow;
  configuration_changes: ConfigurationChangeRow;
  configuration_sequence: ConfigurationSequenceRow;
}

export const CONFIGURATION_CONCEPTS = [
  'tenant',
  'api_key',
  'provider',
  'channel',
  'model',
  'offering',
  'offering_checks',
  'policies',
] as const;
export type ConfigurationConcept = (typeof CONFIGURATION_CONCEPTS)[number];

/** What changed, for every process that keeps the configuration in memory. The id of `policies` is their tenant's. */
export type ConfigurationChangeRow = Readonly<{
  sequence: number;
  concept: ConfigurationConcept;
  id: string;
}>;

/** The only row counts the changes. Its row lock makes them commit in the order of their numbers, on every dialect. */
export type ConfigurationSequenceRow = Readonly<{ id: number; last: number }>;
