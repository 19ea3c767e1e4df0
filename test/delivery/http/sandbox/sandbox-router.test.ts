import express, { type Express } from 'express';
import request from 'supertest';
import { errorHandler } from '../../../../src/delivery/http/error/error-handler';
import { requestId } from '../../../../src/delivery/http/middleware/request-id';
import { sandboxRouter } from '../../../../src/delivery/http/sandbox/sandbox-router';
import { AdminGateway } from '../../../support/admin-gateway';

describe('the sandbox’s switch', () => {
  let app: Express;
  let switched: string[];

  beforeAll(async () => {
    const { configuration, secrets, clock, ids } = await AdminGateway.start();
    const sandbox = {
      providers: () => [{ name: 'openai', fault: 'healthy', calls: 4 }],
      faults: () => [
        { name: 'healthy', description: 'Answers.' },
        { name: 'down', description: 'Does not.' },
      ],
      switchFault: (provider: string, fault: string) => {
        if (provider !== 'openai') return 'unknown_provider' as const;
        if (fault !== 'healthy' && fault !== 'down') return 'unknown_fault' as const;
        switched.push(fault);
        return 'switched' as const;
      },
    };
    app = express()
      .use(requestId(ids))
      .use('/sandbox', sandboxRouter({ configuration, secrets, clock, sandbox }))
      .use(errorHandler({ error: () => undefined }));
  });
  beforeEach(() => {
    switched = [];
  });

  const put = (body: object | string, { as = 'op', provider = 'openai' } = {}) =>
    request(app)
      .put(`/sandbox/providers/${provider}/fault`)
      .set({ authorization: `Bearer ${as}`, 'content-type': 'application/json' })
      .send(body);

  it('lists providers and what can be wrong with them', async () => {
    const response = await request(app).get('/sandbox/providers').set('authorization', 'Bearer op');

    expect(response.body).toEqual({
      sandbox: true,
      data: [{ name: 'openai', fault: 'healthy', calls: 4 }],
      faults: [
        { name: 'healthy', description: 'Answers.' },
        { name: 'down', description: 'Does not.' },
      ],
    });
  });

  it('breaks a provider, and says that it is a simulated one', async () => {
    const response = await put({ fault: 'down' });

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ sandbox: true, provider: 'openai', fault: 'down' });
    expect(switched).toEqual(['down']);
  });

  it.each<[name: string, body: object | string]>([
    ['unknown', { fault: 'meteor' }],
    ['a number', { fault: 503 }],
    ['null', { fault: null }],
    ['absent', {}],
    ['in a list', [{ fault: 'down' }]],
    ['of no body', ''],
    ['inherited', { fault: 'constructor' }],
  ])('names the faults that there are to one that is %s', async (_name, body) => {
    const response = await put(body);

    expect(response.status).toBe(400);
    expect(response.body.error).toEqual({
      message: "'fault' must be one of healthy, down.",
      type: 'invalid_request_error',
      code: 'invalid_request_error',
      param: 'fault',
    });
    expect(switched).toEqual([]);
  });

  it.each([['azure'], ['%2e%2e'], ['__proto__']])('knows no provider %s', async (provider) => {
    const response = await put({ fault: 'down' }, { provider });

    expect(response.status).toBe(404);
    expect(response.body.error).toMatchObject({ code: 'not_found' });
  });

  it('takes no body above 10 KiB', async () => {
    expect((await put({ fault: 'x'.repeat(10_240) })).status).toBe(413);
  });

  it.each([
    ['nobody', '', 401],
    ['an app', 'acme-app', 403],
    ['a tenant’s admin', 'acme-admin', 403],
  ])('is not for %s', async (_name, as, status) => {
    const list = await request(app).get('/sandbox/providers').set('authorization', `Bearer ${as}`);

    expect(list.status).toBe(status);
    expect((await put({ fault: 'down' }, { as })).status).toBe(status);
    expect(switched).toEqual([]);
  });
});
