import { AdminGateway } from '../../../../support/admin-gateway';

const WALLET = '/tenants/acme/wallet';
const CREDITS = `${WALLET}/credits`;
const INVOICE = { amount_micro_usd: 5_000_000, reference: 'invoice 7', note: 'wire transfer' };

describe('the wallet of a tenant', () => {
  let gateway: AdminGateway;
  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const opened = () => gateway.call('put', WALLET, { body: { payment: 'wallet' } });
  const credited = (body: object) => gateway.call('post', CREDITS, { body });

  it('is not there until an operator opens it', async () => {
    const missing = await gateway.call('get', WALLET, { as: 'acme-admin' });
    const switchedOff = await gateway.call('put', WALLET, { body: { payment: 'none' } });
    const credit = await credited(INVOICE);

    expect([missing.status, switchedOff.status, credit.status]).toEqual([404, 404, 404]);
    expect(missing.body.error.message).toContain('PUT /admin/v1/tenants/acme/wallet');
  });

  it('is opened empty, and tells its own admin what it holds', async () => {
    const answer = await opened();
    await credited(INVOICE);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ tenant: 'acme', payment: 'wallet', balance_micro_usd: 0 });
    const { body } = await gateway.call('get', WALLET, { as: 'acme-admin' });
    expect(body).toEqual({
      tenant: 'acme',
      payment: 'wallet',
      balance_micro_usd: 5_000_000,
      available_micro_usd: 5_000_000,
      reserved_micro_usd: 0,
      spent_micro_usd: 0,
      credited_micro_usd: 5_000_000,
      opened_at: '1970-01-01T00:00:00.000Z',
    });
  });

  it.each([
    ['PUT', 'put', WALLET, { payment: 'none' }],
    ['POST credits', 'post', CREDITS, INVOICE],
  ] as const)('%s is an operator’s', async (_, method, path, body) => {
    await opened();

    const answer = await gateway.call(method, path, { as: 'acme-admin', body });

    expect(answer.status).toBe(403);
    expect((await gateway.call('get', WALLET)).body).toMatchObject({
      payment: 'wallet',
      balance_micro_usd: 0,
    });
  });

  it('can be switched off and on', async () => {
    await opened();

    expect((await gateway.call('put', WALLET, { body: { payment: 'none' } })).body.payment).toBe('none');
    expect((await opened()).body.payment).toBe('wallet');
  });

  describe('credits', () => {
    beforeEach(opened);

    it('are booked once for a reference', async () => {
      const first = await credited(INVOICE);
      const again = await credited(INVOICE);

      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.body).toEqual(first.body);
      expect(first.body).toMatchObject({ tenant: 'acme', ...INVOICE });
      expect((await gateway.call('get', WALLET)).body.balance_micro_usd).toBe(5_000_000);
    });

    it.each([
      ['amount', { ...INVOICE, amount_micro_usd: 1 }],
      ['note', { ...INVOICE, note: null }],
    ])('conflict when a reference comes with another %s', async (_, other) => {
      await credited(INVOICE);

      const answer = await credited(other);

      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: 'conflict', param: 'reference' });
    });

    it('can be corrected, with a note', async () => {
      await credited(INVOICE);
      const correction = { amount_micro_usd: -2_000_000, reference: 'correction of 7' };

      const silent = await credited(correction);
      const said = await credited({ ...correction, note: 'paid twice' });

      expect(silent.status).toBe(422);
      expect(silent.body.schneeai.problems).toEqual([
        { field: 'note', message: 'must say why money is taken back' },
      ]);
      expect(said.status).toBe(201);
      expect((await gateway.call('get', WALLET)).body.balance_micro_usd).toBe(3_000_000);
    });

    it.each([
      ['an amount of nothing', { ...INVOICE, amount_micro_usd: 0 }, 'amount_micro_usd'],
      ['a fraction', { ...INVOICE, amount_micro_usd: 1.5 }, 'amount_micro_usd'],
      ['an amount as text', { ...INVOICE, amount_micro_usd: '5' }, 'amount_micro_usd'],
      ['more than a million USD', { ...INVOICE, amount_micro_usd: 1e12 + 1 }, 'amount_micro_usd'],
      ['no reference', { amount_micro_usd: 5 }, 'reference'],
      ['a blank reference', { ...INVOICE, reference: ' ' }, 'reference'],
      ['a field that nobody knows', { ...INVOICE, currency: 'EUR' }, 'currency'],
    ])('refuse %s', async (_, body, param) => {
      const answer = await credited(body);

      expect(answer.status).toBe(400);
      expect(answer.body.error.param).toBe(param);
      expect((await gateway.call('get', WALLET)).body.balance_micro_usd).toBe(0);
    });
  });

  describe('entries', () => {
    it('come in pages, newest first', async () => {
      await opened();
      await credited(INVOICE);
      await credited({ amount_micro_usd: 7, reference: 'invoice 8' });

      const first = await gateway.call('get', `${WALLET}/entries?limit=3`, { as: 'acme-admin' });
      const cursor = first.body.next_cursor as string;
      const second = await gateway.call('get', `${WALLET}/entries?limit=3&cursor=${cursor}`);

      const amounts = [...first.body.data, ...second.body.data].map((entry) => entry.amount_micro_usd);
      expect(amounts).toEqual([7, -7, 5_000_000, -5_000_000]);
      expect(first.body.data[0]).toMatchObject({
        kind: 'credit',
        account: 'available',
        reference: 'invoice 8',
        request_id: null,
        note: null,
      });
      expect(second.body.next_cursor).toBeNull();
    });

    it.each([
      'cursor=abc',
      `cursor=${Buffer.from('1 elsewhere x').toString('base64url')}`,
      `cursor=${Buffer.from('01 available x').toString('base64url')}`,
      'limit=0',
    ])('refuse ?%s', async (query) => {
      expect((await gateway.call('get', `${WALLET}/entries?${query}`)).status).toBe(400);
    });

    it('are none without a wallet', async () => {
      expect((await gateway.call('get', `${WALLET}/entries`)).body).toEqual({ data: [], next_cursor: null });
    });
  });

  describe('verify', () => {
    it('says that the books agree', async () => {
      await opened();
      await credited(INVOICE);

      const { body } = await gateway.call('get', `${WALLET}/verify`, { as: 'acme-admin' });

      expect(body).toMatchObject({ consistent: true, errors: [], wallet: { balance_micro_usd: 5_000_000 } });
    });

    it('says what is wrong', async () => {
      await opened();
      gateway.wallets.stray = { availableMicroUsd: 1, reservedMicroUsd: 0, spentMicroUsd: 0 };

      const { body } = await gateway.call('get', `${WALLET}/verify`);

      expect(body).toMatchObject({ consistent: false, errors: ['balance_differs_from_entries'] });
    });
  });
});
