import { AdminGateway } from '../../../../support/admin-gateway';

const PATH = '/tenants/acme/eligibility';

describe('eligibility', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const put = (body: object) => gateway.call('put', PATH, { as: 'acme-admin', body });

  it('restricts nothing at first', async () => {
    const answer = await gateway.call('get', PATH, { as: 'acme-admin' });

    expect(answer.body).toEqual({ allowed_regions: null, exclusions: [], allow_list: null });
  });

  it('is replaced as a whole, and can be written back as it was read', async () => {
    const rules = {
      allowed_regions: ['eu', 'eu-*'],
      exclusions: [
        { provider: 'mistral', model: null, note: 'Contract 17', until: '2027-06-30T22:00:00.000Z' },
        { provider: 'openai', model: 'gpt-s', note: 'Audit', until: null },
      ],
      allow_list: [{ provider: 'openai', model: null }],
    };

    const written = await put(rules);
    const read = await gateway.call('get', PATH, { as: 'acme-admin' });
    const again = await put(read.body as object);

    expect(written.status).toBe(200);
    expect(read.body).toEqual(rules);
    expect(again.body).toEqual(rules);
  });

  it('names every provider and model that the catalog lacks', async () => {
    const answer = await put({
      exclusions: [{ provider: 'nobody', model: 'gpt-x', note: 'n' }],
      allow_list: [{ provider: 'openai' }, { provider: 'ghost' }],
    });

    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'unprocessable', param: 'exclusions[0].provider' });
    expect(answer.body.schneeai.problems).toEqual([
      { field: 'exclusions[0].provider', message: "there is no provider 'nobody'" },
      { field: 'exclusions[0].model', message: "there is no model 'gpt-x'" },
      { field: 'allow_list[1].provider', message: "there is no provider 'ghost'" },
    ]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each([
    ['a region that is no word', { allowed_regions: ['EU!'] }, 'allowed_regions'],
    ['regions that are no list', { allowed_regions: 'eu' }, 'allowed_regions'],
    ['an exclusion without a note', { exclusions: [{ provider: 'openai' }] }, 'exclusions[0].note'],
    [
      'an exclusion with an unknown field',
      { exclusions: [{ provider: 'openai', note: 'n', x: 1 }] },
      'exclusions[0].x',
    ],
    ['an exclusion that is a list', { exclusions: [[]] }, 'exclusions'],
    ['an exclusion that is text', { exclusions: ['openai'] }, 'exclusions'],
    ['an exclusion that is null', { exclusions: [null] }, 'exclusions'],
    ['exclusions that are null', { exclusions: null }, 'exclusions'],
    [
      'an end that is no time',
      { exclusions: [{ provider: 'openai', note: 'n', until: 5 }] },
      'exclusions[0].until',
    ],
    ['an allow list that is an object', { allow_list: {} }, 'allow_list'],
  ])('is refused with %s', async (_case, body, param) => {
    const answer = await put(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });
});
