import type { JsonObject } from '../../../domain/kernel/json';
import { ERROR_STATUS } from '../error/error-status';
import type { AdminRoute } from '../admin/admin-route';
import { dtoSchemas, propertiesOf, schemaRef } from './dto-schemas';

const PREFIX = '/admin/v1';

/** The OpenAPI document of the admin API, made from what is mounted: the route table and its DTOs. */
export function openApiDocument(routes: readonly AdminRoute[]): JsonObject {
  const bodies = routes.flatMap(({ body }) => (body === null ? [] : [body]));
  return {
    openapi: '3.1.0',
    info: { title: 'SchneeAI Gateway admin API', version: '1' },
    security: [{ bearer: [] }],
    paths: pathsOf(routes),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { ...dtoSchemas(bodies), Error: errorSchema() },
    },
  };
}

function pathsOf(routes: readonly AdminRoute[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return paths;
}

function operationOf(route: AdminRoute): JsonObject {
  return {
    summary: route.summary,
    description: `Needs the scope \`${route.scope}\`.`,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body === null ? {} : { requestBody: { required: true, content: json(schemaRef(route.body)) } }),
    responses: {
      '2XX': { description: 'Done' },
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

function pathParameters({ path }: AdminRoute): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters({ query }: AdminRoute): JsonObject[] {
  if (query === null) return [];
  return Object.entries(propertiesOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function errorSchema(): JsonObject {
  const nullableText = { type: ['string', 'null'] };
  const code = { type: ['string', 'null'], examples: Object.keys(ERROR_STATUS) };
  return {
    type: 'object',
    required: ['error', 'request_id'],
    properties: {
      error: {
        type: 'object',
        required: ['message', 'type', 'code', 'param'],
        properties: { message: { type: 'string' }, type: { type: 'string' }, code, param: nullableText },
      },
      request_id: { type: 'string' },
      schneeai: { type: 'object' },
    },
  };
}
