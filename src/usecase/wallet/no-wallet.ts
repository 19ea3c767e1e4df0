import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';

export function noWallet(tenant: TenantId): GatewayError {
  const message = `The tenant '${tenant}' has no wallet. An operator opens one with PUT /admin/v1/tenants/${tenant}/wallet.`;
  return { code: 'not_found', message };
}
