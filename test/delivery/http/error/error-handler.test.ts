import { gzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import type { FaultEntry } from '../../../../src/delivery/http/error/error-handler';
import { errorHandler } from '../../../../src/delivery/http/error/error-handler';
import { requestId } from '../../../../src/delivery/http/middleware/request-id';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { SequentialIds } from '../../../support/sequential-ids';

const FIRST_ID = `req_${'1'.padStart(26, '0')}`;

describe('the last error handler', () => {
  let faults: FaultEntry[];

  const appThat = (fail: express.RequestHandler) =>
    express()
      .use(requestId(new SequentialIds()))
      .use(express.json({ limit: 100 }))
      .use('/things/:id', fail)
      .use(errorHandler({ error: (entry) => faults.push(entry) }));

  const answering = appThat((_req, res) => {
    res.json({});
  });

  beforeEach(() => {
    faults = [];
  });

  it.each([
    ['{"a": oops}', 'The body is not valid JSON: unexpected character at position 6.'],
    ['{"a": 1', 'The body is not valid JSON: it ends too early, at position 7.'],
    ['"text"', 'The body is not valid JSON: unexpected character at position 0.'],
  ])('names the position at which %s is malformed', async (body, message) => {
    const answer = await request(answering).post('/things/1').type('application/json').send(body);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: { message, type: 'invalid_request_error', code: 'invalid_request_error', param: null },
      request_id: answer.headers['x-request-id'],
    });
    expect(faults).toEqual([]);
  });

  it('names the limit of a body that is too large', async () => {
    const answer = await request(answering)
      .post('/things/1')
      .send({ text: 'x'.repeat(100) });

    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({
      error: { code: 'payload_too_large' },
      schneeai: { limit_bytes: 100 },
    });
  });

  it.each([
    ['a charset', { 'content-type': 'application/json; charset=koi8-r' }],
    ['an encoding', { 'content-type': 'application/json', 'content-encoding': 'lzma' }],
  ])('refuses %s that it can not read', async (_case, headers) => {
    const answer = await request(answering).post('/things/1').set(headers).send('{}');

    expect(answer.status).toBe(415);
    expect(answer.body.error.code).toBe('unsupported_media_type');
  });

  it.each([
    ['a body that is not compressed as it says', '/things/1', { 'content-encoding': 'gzip' }],
    ['a path that is not encoded', '/things/%E0%A4%A', {}],
  ])('answers %s with 400', async (_case, path, headers) => {
    const answer = await request(answering).post(path).type('application/json').set(headers).send('{}');

    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request_error');
    expect(faults).toEqual([]);
  });

  it('measures a compressed body as it unpacks', async () => {
    const bomb = gzipSync(JSON.stringify({ text: 'x'.repeat(1_000_000) }));

    const answer = await request(answering)
      .post('/things/1')
      .type('application/json')
      .set('content-encoding', 'gzip')
      .serialize(() => bomb as unknown as string)
      .send({});

    expect(answer.status).toBe(413);
  });

  it('says of a lost store that nothing was recorded', async () => {
    const error = new StoreUnavailable('connect ECONNREFUSED db.internal');
    const answer = await request(appThat(() => Promise.reject(error))).get('/things/1');

    expect(answer.status).toBe(503);
    expect(answer.body.error).toMatchObject({ code: 'audit_unavailable', type: 'server_error' });
    expect(answer.text).not.toContain('db.internal');
    expect(faults).toEqual([
      { message: 'store unavailable', requestId: FIRST_ID, method: 'GET', path: '/things/1', error },
    ]);
  });

  it.each([
    ['an error', new Error('secret sk-canary in a stack')],
    ['text', 'secret sk-canary'],
    ['an error with a server’s status', Object.assign(new Error('sk-canary'), { status: 502 })],
  ])('keeps what %s says to the log', async (_case, error) => {
    const answer = await request(appThat((_req, _res, next) => next(error))).get('/things/1?q=private');

    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatchObject({ code: 'gateway_error', type: 'server_error' });
    expect(answer.body.request_id).toBe(FIRST_ID);
    expect(answer.text).not.toContain('sk-canary');
    expect(faults).toEqual([
      { message: 'request failed', requestId: FIRST_ID, method: 'GET', path: '/things/1', error },
    ]);
  });

  it('breaks the connection of an answer that has begun', async () => {
    const app = appThat((_req, res) => {
      res.write('half an answer');
      return Promise.reject(new Error('too late'));
    });

    await expect(request(app).get('/things/1')).rejects.toThrow(/aborted|hang up/);
    expect(faults).toMatchObject([{ message: 'request failed' }]);
  });
});
