import express from 'express';
import request from 'supertest';
import { loadedOnUse } from '../../../src/delivery/http/loaded-on-use';

describe('a handler that is loaded on use', () => {
  it('is loaded once, by the first request', async () => {
    let loads = 0;
    const app = express().use(
      loadedOnUse(async () => {
        loads += 1;
        return (_req, res) => void res.send('loaded');
      }),
    );

    expect(loads).toBe(0);
    const answers = await Promise.all([request(app).get('/'), request(app).get('/')]);

    expect(answers.map(({ text }) => text)).toEqual(['loaded', 'loaded']);
    expect(loads).toBe(1);
  });

  it('hands on what its loading fails with', async () => {
    const failures: unknown[] = [];
    const app = express()
      .use(loadedOnUse(() => Promise.reject(new Error('no such module'))))
      .use(((error, _req, res, _next) => {
        failures.push(error);
        res.status(500).end();
      }) satisfies express.ErrorRequestHandler);

    expect((await request(app).get('/')).status).toBe(500);
    expect(failures).toEqual([new Error('no such module')]);
  });
});
