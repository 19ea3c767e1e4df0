import type { AdminRoute } from './admin-route';
import type { ArchiveUseCases } from './archive/archive-routes';
import { archiveRoutes } from './archive/archive-routes';
import type { AuditUseCases } from './audit/audit-routes';
import { auditRoutes } from './audit/audit-routes';
import type { ChannelUseCases } from './catalog/channel-routes';
import { channelRoutes } from './catalog/channel-routes';
import type { CheckUseCases } from './catalog/check-routes';
import { checkRoutes } from './catalog/check-routes';
import type { ModelUseCases } from './catalog/model-routes';
import { modelRoutes } from './catalog/model-routes';
import type { OfferingUseCases } from './catalog/offering-routes';
import { offeringRoutes } from './catalog/offering-routes';
import type { ProviderUseCases } from './catalog/provider-routes';
import { providerRoutes } from './catalog/provider-routes';
import type { HealthUseCases } from './health/health-routes';
import { healthRoutes } from './health/health-routes';
import type { PolicyUseCases } from './routing/policy-routes';
import { policyRoutes } from './routing/policy-routes';
import type { EligibilityUseCases } from './tenant/eligibility-routes';
import { eligibilityRoutes } from './tenant/eligibility-routes';
import type { KeyUseCases } from './tenant/key-routes';
import { keyRoutes } from './tenant/key-routes';
import type { TenantUseCases } from './tenant/tenant-routes';
import { tenantRoutes } from './tenant/tenant-routes';
import type { UsageUseCases } from './tenant/usage-routes';
import { usageRoutes } from './tenant/usage-routes';
import type { WalletUseCases } from './wallet/wallet-routes';
import { walletRoutes } from './wallet/wallet-routes';

export type AdminUseCases = TenantUseCases &
  KeyUseCases &
  EligibilityUseCases &
  ProviderUseCases &
  ChannelUseCases &
  CheckUseCases &
  ModelUseCases &
  OfferingUseCases &
  PolicyUseCases &
  HealthUseCases &
  AuditUseCases &
  ArchiveUseCases &
  UsageUseCases &
  WalletUseCases;

/** Every route of the admin API. What isn't in this table isn't mounted, documented or tested for isolation. */
export function adminRoutes(useCases: AdminUseCases): readonly AdminRoute[] {
  return [
    ...tenantRoutes(useCases),
    ...keyRoutes(useCases),
    ...eligibilityRoutes(useCases),
    ...policyRoutes(useCases),
    ...providerRoutes(useCases),
    ...channelRoutes(useCases),
    ...checkRoutes(useCases),
    ...modelRoutes(useCases),
    ...offeringRoutes(useCases),
    ...healthRoutes(useCases),
    ...auditRoutes(useCases),
    ...archiveRoutes(useCases),
    ...usageRoutes(useCases),
    ...walletRoutes(useCases),
  ];
}
