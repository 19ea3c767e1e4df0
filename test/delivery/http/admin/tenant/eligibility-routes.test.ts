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

    expect(answer.body).toEqual({ allowed_regions: null, exclusions: [], allow_list: null, pii: null });
  });

  it('is replaced as a whole, and can be written back as it was read', async () => {
    const rules = {
      allowed_regions: ['eu', 'eu-*'],
      exclusions: [
        { provider: 'mistral', model: null, note: 'Contract 17', until: '2027-06-30T22:00:00.000Z' },
        { provider: 'openai', model: 'gpt-s', note: 'Audit', until: null },
      ],
      allow_list: [{ provider: 'openai', model: null }],
      pii: {
        default: { classes: { email: 'redact', payment_card: 'block' }, restore: true },
        providers: [{ provider: 'openai', classes: { payment_card: 'allow' }, restore: null }],
      },
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
      pii: { providers: [{ provider: 'openai' }, { provider: 'phantom' }, { provider: 'openai' }] },
    });

    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'unprocessable', param: 'exclusions[0].provider' });
    expect(answer.body.schneeai.problems).toEqual([
      { field: 'exclusions[0].provider', message: "there is no provider 'nobody'" },
      { field: 'exclusions[0].model', message: "there is no model 'gpt-x'" },
      { field: 'allow_list[1].provider', message: "there is no provider 'ghost'" },
      { field: 'pii.providers[1].provider', message: "there is no provider 'phantom'" },
      { field: 'pii.providers[2].provider', message: "'openai' has a rule already" },
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
    ['rules for personal data that are a list', { pii: [] }, 'pii'],
    ['an unknown rule', { pii: { fallback: {} } }, 'pii.fallback'],
    ['classes that are a list', { pii: { default: { classes: ['email'] } } }, 'pii.default.classes'],
    ['an action that is none', { pii: { default: { classes: { email: 'hide' } } } }, 'pii.default.classes'],
    [
      'a restore that is no boolean',
      { pii: { providers: [{ provider: 'openai', restore: 1 }] } },
      'pii.providers[0].restore',
    ],
  ])('is refused with %s', async (_case, body, param) => {
    const answer = await put(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('names a class of personal data that there is not', async () => {
    const answer = await put({ pii: { default: { classes: { email: 'redact', shoe_size: 'block' } } } });

    expect(answer.body.error.message).toContain(
      "knows no class 'shoe_size': use email, phone, payment_card, iban, national_id, secret, ip_address",
    );
  });

  it('keeps a provider in the catalog that a rule for personal data names', async () => {
    await put({ pii: { providers: [{ provider: 'mistral', classes: { email: 'block' } }] } });

    const answer = await gateway.call('delete', '/providers/mistral', { as: 'op' });

    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain("the eligibility of the tenant 'acme'");
  });
});
