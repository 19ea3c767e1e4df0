import express from 'express';
import request from 'supertest';
import { authenticate, callerOf } from '../../../../src/delivery/http/middleware/authenticate';
import { requestId } from '../../../../src/delivery/http/middleware/request-id';
import type { ApiKey } from '../../../../src/domain/tenant/api-key';
import { FakeClock } from '../../../support/fake-clock';
import { InMemoryConfiguration } from '../../../support/in-memory-configuration';
import { NumberedSecrets } from '../../../support/numbered-secrets';
import { SequentialIds } from '../../../support/sequential-ids';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('authentication', () => {
  const secrets = new NumberedSecrets();
  const configuration = new InMemoryConfiguration();
  const app = express()
    .use(requestId(new SequentialIds()))
    .use(authenticate({ configuration, secrets, clock: new FakeClock(NOW) }))
    .use((_req, res) => {
      res.json({ caller: callerOf(res).id });
    });

  const add = (id: string, given: Partial<ApiKey> = {}) =>
    configuration.insertKey({
      id,
      tenantId: 'acme',
      name: id,
      secretHash: secrets.hash(id),
      hint: '',
      scopes: ['chat'],
      groups: [],
      groupStrategy: null,
      rpm: null,
      createdAtMs: 0,
      expiresAtMs: null,
      revokedAtMs: null,
      ...given,
    });

  beforeAll(async () => {
    await add('good');
    await add('other');
    await add('lasting', { expiresAtMs: NOW + 1 });
    await add('expired', { expiresAtMs: NOW });
    await add('revoked', { revokedAtMs: NOW - 1 });
  });

  it.each([
    ['a bearer key', { authorization: 'Bearer good' }, 'good'],
    ['a scheme in lower case', { authorization: 'bearer good' }, 'good'],
    ['an x-api-key', { 'x-api-key': 'good' }, 'good'],
    ['both headers with one key', { authorization: 'Bearer good', 'x-api-key': 'good' }, 'good'],
    ['a key in its last millisecond', { authorization: 'Bearer lasting' }, 'lasting'],
  ])('lets %s pass', async (_case, headers, caller) => {
    const answer = await request(app).get('/').set(headers);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ caller });
  });

  it.each([
    ['no key', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['an unknown key', { authorization: 'Bearer unknown' }],
    ['an expired key', { authorization: 'Bearer expired' }],
    ['a revoked key', { authorization: 'Bearer revoked' }],
    ['another scheme', { authorization: 'Basic good' }],
    ['a scheme without a key', { authorization: 'Bearer' }],
    ['two words', { authorization: 'Bearer good other' }],
    ['a foreign scheme beside a good key', { authorization: 'Basic x', 'x-api-key': 'good' }],
    ['two different keys', { authorization: 'Bearer good', 'x-api-key': 'other' }],
    ['a key of 513 characters', { authorization: `Bearer ${'x'.repeat(513)}` }],
  ])('refuses %s', async (_case, headers) => {
    const answer = await request(app).get('/').set(headers);

    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body.error).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error' });
    expect(answer.text).not.toMatch(/good|other|x{9}/);
  });

  it('tells an unknown, an expired and a revoked key the same', async () => {
    const messages = await Promise.all(
      ['unknown', 'expired', 'revoked'].map(async (key) => {
        const answer = await request(app)
          .get('/')
          .set({ authorization: `Bearer ${key}` });
        return answer.body.error.message as string;
      }),
    );

    expect(new Set(messages).size).toBe(1);
  });

  it('gives every answer an id of our own', async () => {
    const answer = await request(app).get('/').set({ 'x-request-id': 'theirs' });

    expect(answer.headers['x-request-id']).toMatch(/^req_\d{26}$/);
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
  });
});
