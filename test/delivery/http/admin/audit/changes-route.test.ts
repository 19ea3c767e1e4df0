import type { AdminChange } from '../../../../../src/domain/audit/admin-change';
import { AdminGateway } from '../../../../support/admin-gateway';

const change = (id: string, tenant: string | null): AdminChange => ({
  id,
  atMs: Date.parse('2026-11-30T11:00:00Z'),
  by: 'key_1',
  tenant,
  object: { kind: 'channel', id: 'ch_1' },
  action: 'updated',
  fromVersion: null,
  toVersion: null,
  fields: [
    { field: 'base_url', values: null },
    { field: 'region', values: { from: 'us', to: 'eu' } },
  ],
});

describe('GET /audit/changes', () => {
  it('says who changed what, and withholds what could be a secret', async () => {
    const gateway = await AdminGateway.start();
    gateway.trail.changes.push(change('chg_1', null));

    const answer = await gateway.call('get', '/audit/changes?object_kind=channel');

    expect(answer.body).toEqual({
      data: [
        {
          id: 'chg_1',
          at: '2026-11-30T11:00:00.000Z',
          by: 'key_1',
          tenant: null,
          object: { kind: 'channel', id: 'ch_1' },
          action: 'updated',
          from_version: null,
          to_version: null,
          fields: [
            { field: 'base_url', withheld: true },
            { field: 'region', from: 'us', to: 'eu' },
          ],
        },
      ],
      next_cursor: null,
    });
  });

  it.each([
    ['its own', 'acme-admin', '', ['chg_2']],
    ['nothing of another', 'acme-admin', '?tenant=beta', []],
    ['nothing of operators', 'beta-admin', '', []],
  ])('shows a tenant’s key %s', async (_name, as, query, ids) => {
    const gateway = await AdminGateway.start();
    gateway.trail.changes.push(change('chg_1', null), change('chg_2', 'acme'));

    const answer = await gateway.call('get', `/audit/changes${query}`, { as });

    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('refuses a cursor of another list', async () => {
    const gateway = await AdminGateway.start();
    const cursor = Buffer.from('req_00000000000000000000000001').toString('base64url');

    expect((await gateway.call('get', `/audit/changes?cursor=${cursor}`)).status).toBe(400);
  });
});
