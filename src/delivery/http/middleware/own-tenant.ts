import type { RequestHandler } from 'express';
import type { GatewayError } from '../../../domain/error/gateway-error';
import type { TenantId } from '../../../domain/kernel/ids';
import type { ApiKey } from '../../../domain/tenant/api-key';
import { hasScope } from '../../../domain/tenant/api-key';
import type { Configuration } from '../../../usecase/port/configuration';
import { sendError } from '../error/send-error';
import { callerOf } from './authenticate';

/**
 * Guards every path with a `:tenant`. A tenant that isn't there and one that isn't the caller's get the same 404, before any
 * scope is looked at, so that nobody can infer who else is a customer.
 */
export function ownTenant(configuration: Pick<Configuration, 'tenant'>): RequestHandler {
  return (req, res, next) => {
    const tenant = String(req.params['tenant']);
    const visible = maySee(callerOf(res), tenant) && configuration.tenant(tenant) !== undefined;
    if (visible) return next();
    sendError(res, noSuchTenant(tenant));
  };
}

function maySee(key: ApiKey, tenant: TenantId): boolean {
  return key.tenantId === null ? hasScope(key, 'operator') : key.tenantId === tenant;
}

function noSuchTenant(tenant: TenantId): GatewayError {
  return { code: 'not_found', message: `There is no tenant '${tenant}'.` };
}
