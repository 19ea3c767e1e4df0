import { AdminGateway } from '../../../support/admin-gateway';

// On PostgreSQL, which can't be asked for a zero, each was a 500.
it.each([
  '/audit/records?service=%00',
  '/audit/records/req_%00',
  '/audit/changes?by=a%00b',
  '/audit/export?format=csv&key=%00',
  '/tenants/acme/routing-policies/%00/versions',
])('a zero character is the mistake of whoever asks: %s', async (path) => {
  const gateway = await AdminGateway.start();

  const answer = await gateway.call('get', path);

  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining('%00') as string },
  });
});
