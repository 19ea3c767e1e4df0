import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminUseCases } from '../../../../src/delivery/http/admin/admin-routes';
import { adminRoutes } from '../../../../src/delivery/http/admin/admin-routes';

const text = readFileSync(join(__dirname, '../../../../docs/api.md'), 'utf8');

describe('docs/api.md', () => {
  it('lists every endpoint with its scope, and no other', () => {
    const rows = [...text.matchAll(/^\| (`(?:GET|POST|PUT|PATCH|DELETE) .*`) *\| `([a-z:]+)` *\|/gm)];
    const documented = rows.flatMap(([, endpoints = '', scope = '']) =>
      endpoints.split(', ').map((endpoint) => `${endpoint.replaceAll('`', '')} ${scope}`),
    );
    const mounted = adminRoutes({} as AdminUseCases).map(
      ({ method, path, scope }) => `${method.toUpperCase()} ${path} ${scope}`,
    );

    expect(documented.sort()).toEqual(mounted.sort());
  });
});
