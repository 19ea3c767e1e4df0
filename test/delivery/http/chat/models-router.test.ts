import express, { type Express } from 'express';
import request from 'supertest';
import { errorHandler } from '../../../../src/delivery/http/error/error-handler';
import { modelsRouter } from '../../../../src/delivery/http/chat/models-router';
import { requestId } from '../../../../src/delivery/http/middleware/request-id';
import { ListModels } from '../../../../src/usecase/catalog/list-models';
import { AdminGateway } from '../../../support/admin-gateway';
import { aModel, anOffering, sampleEntries } from '../../../support/sample-catalog';

const ENTRIES = {
  ...sampleEntries(),
  models: [...sampleEntries().models, aModel('meta/llama 3'), aModel('ünïcode')],
  offerings: [
    ...sampleEntries().offerings,
    anOffering({ id: 'll', channel: 'ch-oa-1', model: 'meta/llama 3' }),
    anOffering({ id: 'un', channel: 'ch-oa-1', model: 'ünïcode' }),
  ],
};

describe('models', () => {
  let app: Express;

  beforeAll(async () => {
    const { configuration, secrets, clock, ids } = await AdminGateway.start({ entries: ENTRIES });
    const listModels = new ListModels({ configuration, clock });
    app = express()
      .use(requestId(ids))
      .use('/v1/models', modelsRouter({ configuration, secrets, clock, listModels }))
      .use(errorHandler({ error: () => undefined }));
  });

  const get = (path: string, as = 'acme-app') =>
    request(app).get(`/v1/models${path}`).set('authorization', `Bearer ${as}`);

  it('are listed as OpenAI lists them', async () => {
    const response = await get('');

    expect(response.status).toBe(200);
    expect(response.body.object).toBe('list');
    expect(response.body.data[0]).toEqual({ id: 'gpt-s', object: 'model', created: 0, owned_by: 'openai' });
    expect(response.body.data.map(({ id }: { id: string }) => id)).toEqual([
      'gpt-s',
      'claude-s',
      'mistral-s',
      'meta/llama 3',
      'ünïcode',
    ]);
  });

  it.each([
    ['gpt-s', 'gpt-s'],
    ['meta/llama%203', 'meta/llama 3'],
    ['meta%2Fllama%203', 'meta/llama 3'],
    ['%C3%BCn%C3%AFcode', 'ünïcode'],
  ])('are found by their name, encoded or not: %s', async (path, id) => {
    expect((await get(`/${path}`)).body).toMatchObject({ id, object: 'model' });
  });

  it.each([['gpt-9'], ['GPT-S'], ['__proto__'], ['meta'], ['gpt-s%2F..']])(
    'that aren’t there are a 404: %s',
    async (path) => {
      const response = await get(`/${path}`);

      expect(response.status).toBe(404);
      expect(response.body.error).toMatchObject({
        code: 'model_not_found',
        param: 'model',
        type: 'invalid_request_error',
      });
    },
  );

  it('have no name that can’t be decoded', async () => {
    expect((await get('/%E0%A4%A')).status).toBe(400);
  });

  it.each([
    ['nobody', '', 401],
    ['an operator', 'op', 403],
    ['a tenant’s admin without `chat`', 'acme-admin', 403],
    ['an app', 'beta-admin', 200],
  ])('for %s', async (_name, as, status) => {
    expect((await get('', as)).status).toBe(status);
    expect((await get('/gpt-s', as)).status).toBe(status);
  });
});
