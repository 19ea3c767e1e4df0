import type { AdminRoute } from '../../../../src/delivery/http/admin/admin-route';
import { adminRoutes } from '../../../../src/delivery/http/admin/admin-routes';
import type { AdminUseCases } from '../../../../src/delivery/http/admin/admin-routes';
import { AdminGateway } from '../../../support/admin-gateway';
import { anAuditRecord } from '../../../support/sample-audit-record';

/** The table's rows without anything behind them. */
const ROUTES = adminRoutes({} as AdminUseCases);

const rows = (routes: readonly AdminRoute[]) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

const OF_A_TENANT = ROUTES.filter(({ path }) => path.includes('{tenant}'));
const OF_AUDIT = ROUTES.filter(({ path }) => path.startsWith('/audit/'));
const OF_THE_OPERATOR = ROUTES.filter((route) => !OF_A_TENANT.includes(route) && !OF_AUDIT.includes(route));

/** What stands in the paths of `acme`, which exists. */
const PARAMETERS: Readonly<Record<string, string>> = {
  tenant: 'acme',
  key: 'acme-app',
  policy: 'main',
  request_id: 'req_00000000000000000000000001',
};

const filled = (path: string, parameters = PARAMETERS): string =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => parameters[name] ?? 'openai');

describe('isolation of tenants', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
    await gateway.call('put', '/tenants/acme/routing-policies/main', { body: { match: ['*'] } });
    gateway.audit.records.push(anAuditRecord(1));
    await gateway.addKey('stray', { tenantId: null, scopes: ['tenant:admin', 'audit:read'] });
    await gateway.addKey('climber', { tenantId: 'beta', scopes: ['operator'] });
    gateway.configuration.writes = 0;
  });

  const body = (route: AdminRoute) => (route.body === null ? undefined : {});

  it.each(rows(OF_A_TENANT))('%s is not there for another tenant’s key', async (_name, route) => {
    const foreign = await gateway.call(route.method, filled(route.path), {
      as: 'beta-admin',
      body: body(route),
    });
    const missing = await gateway.call(
      route.method,
      filled(route.path, { ...PARAMETERS, tenant: 'nobody' }),
      {
        as: 'beta-admin',
        body: body(route),
      },
    );

    expect(foreign.status).toBe(404);
    expect(foreign.body.error.message).toBe("There is no tenant 'acme'.");
    expect({ ...foreign.body, request_id: '', error: { ...foreign.body.error, message: '' } }).toEqual({
      ...missing.body,
      request_id: '',
      error: { ...missing.body.error, message: '' },
    });
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each(rows(OF_A_TENANT))(
    '%s is not there for a key of no tenant that is no operator’s',
    async (_name, route) => {
      const answer = await gateway.call(route.method, filled(route.path), { as: 'stray', body: body(route) });

      expect(answer.status).toBe(404);
      expect(gateway.configuration.writes).toBe(0);
    },
  );

  it.each(rows(OF_A_TENANT))('%s needs its scope', async (_name, route) => {
    const answer = await gateway.call(route.method, filled(route.path), {
      as: 'acme-app',
      body: body(route),
    });

    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe('forbidden');
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each(rows(OF_AUDIT))('%s tells another tenant’s key nothing', async (_name, route) => {
    const answer = await gateway.call(route.method, filled(route.path), { as: 'beta-admin' });
    const toStray = await gateway.call(route.method, filled(route.path), { as: 'stray' });

    expect(toStray.text).not.toContain('acme');
    expect(answer.status).toBe(route.path.endsWith('}') ? 404 : 200);
    expect(answer.body.data ?? []).toEqual([]);
    expect(answer.text).not.toContain('acme');
  });

  it.each(rows(OF_THE_OPERATOR))('%s is for operators only', async (_name, route) => {
    const path = filled(route.path);
    const asAdmin = await gateway.call(route.method, path, { as: 'acme-admin', body: body(route) });
    const asClimber = await gateway.call(route.method, path, { as: 'climber', body: body(route) });

    expect([asAdmin.status, asClimber.status]).toEqual([403, 403]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each(rows(ROUTES))('%s needs a key', async (_name, route) => {
    const answer = await gateway.call(route.method, filled(route.path), { as: 'nobody', body: body(route) });

    expect(answer.status).toBe(401);
    expect(answer.body.error.code).toBe('invalid_api_key');
  });
});
