import express from 'express';
import request from 'supertest';
import type { AdminUseCases } from '../../../../src/delivery/http/admin/admin-routes';
import { adminRoutes } from '../../../../src/delivery/http/admin/admin-routes';
import { openApiRouter } from '../../../../src/delivery/http/openapi/openapi-router';

type Operation = { parameters: { name: string; in: string }[]; requestBody?: object; description: string };
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
};

const ROUTES = adminRoutes({} as AdminUseCases);

describe('the OpenAPI document', () => {
  let document: Document;

  beforeAll(async () => {
    const answer = await request(express().use(openApiRouter(ROUTES))).get('/openapi.json');
    expect(answer.status).toBe(200);
    document = answer.body as Document;
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'describes %s',
    (_name, route) => {
      const operation = document.paths[`/admin/v1${route.path}`]?.[route.method];

      const inPath = operation?.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`);
      expect(inPath).toEqual(route.path.match(/\{\w+\}/g) ?? []);
      expect(operation?.description).toContain(route.scope);
      expect(operation?.requestBody === undefined).toBe(route.body === null);
    },
  );

  it('has no path that is not mounted', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );

    expect(described.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} /admin/v1${path}`).sort());
  });

  it('refers to schemas that are there, and to all of them', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));

    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it('describes a nested document with its rules', () => {
    expect(document.components.schemas['EligibilityDto']).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        allowed_regions: {
          anyOf: [
            {
              type: 'array',
              maxItems: 100,
              items: { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*(?:-\\*)?$' },
            },
            { type: 'null' },
          ],
        },
        exclusions: {
          type: 'array',
          maxItems: 500,
          items: { type: 'object', $ref: '#/components/schemas/ExclusionDto' },
        },
        allow_list: {
          anyOf: [
            {
              type: 'array',
              maxItems: 500,
              items: { type: 'object', $ref: '#/components/schemas/AllowedProviderDto' },
            },
            { type: 'null' },
          ],
        },
        pii: { anyOf: [{ type: 'object', $ref: '#/components/schemas/PiiRulesDto' }, { type: 'null' }] },
      },
    });
  });

  it('says which fields must be there', () => {
    expect(document.components.schemas['CreateTenantDto']).toMatchObject({ required: ['name'] });
    expect(document.components.schemas['OfferingDto']).toMatchObject({
      required: ['channel', 'model', 'upstream_name'],
    });
  });

  it('names the filters of the audit log', () => {
    const operation = document.paths['/admin/v1/audit/records']?.['get'];

    expect(operation?.parameters.map(({ name }) => name).sort()).toEqual(
      [
        'action',
        'channel',
        'cursor',
        'error_code',
        'fault',
        'feature',
        'from',
        'fallback',
        'min_cost_micro_usd',
        'offering',
        'parent_request_id',
        'policy',
        'stream',
        'key',
        'limit',
        'model',
        'provider',
        'requested_model',
        'service',
        'state',
        'tenant',
        'to',
      ].sort(),
    );
  });
});
