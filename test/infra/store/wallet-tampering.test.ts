import { bookErrors } from '../../../src/domain/wallet/books';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import type { Stores } from '../../contract/stores';
import { closing, opening, TENANT } from '../../support/store/sample-records';
import { storesOn } from '../../support/store/sqlite-stores';

/** Whoever tampers with a wallet keeps its books balanced: only the audit chain knows better. */
describe('tampering with a wallet by SQL', () => {
  let database: SqliteDatabase;
  let stores: Stores;

  beforeEach(async () => {
    database = await openSqliteDatabase(':memory:');
    stores = await storesOn(database);
    await stores.tenants.insertTenant(TENANT);
    await stores.wallets.switchTo('ten_1', 'wallet');
    await credited('invoice 1', 1_000);
    await credited('invoice 2', 50);
    await stores.interactions.open(opening('req_1', { reservationMicroUsd: 300 }));
    await stores.interactions.close(closing('req_1', { costMicroUsd: 214 }));
  });
  afterEach(() => stores.close());

  const credited = (reference: string, amountMicroUsd: number) =>
    stores.wallets.credit({
      id: `crd_${reference}`,
      tenant: 'ten_1',
      atMs: 5_000,
      amountMicroUsd,
      reference,
      note: null,
    });
  const tamper = (...statements: readonly string[]): void => {
    for (const sql of statements) database.connection.exec(sql);
  };
  const verified = async () => {
    const seen = (await stores.wallets.inspect('ten_1'))!;
    return { errors: bookErrors(seen), credit: seen.unprovenCredit, settlement: seen.misSettled };
  };
  const add = (account: string, amount: number, movement: string, rest: string): string =>
    `insert into wallet_entries (movement, account, tenant, at, kind, amount_micro_usd, request_id, reference)
     values ('${movement}', '${account}', 'ten_1', 6000, ${rest})`.replace('AMOUNT', String(amount));
  const more = (amount: number): string =>
    `update wallets set available_micro_usd = available_micro_usd + ${amount}`;

  it('is not what untouched books show', async () => {
    expect(await verified()).toEqual({ errors: [], credit: null, settlement: null });
  });

  it('shows a credit that nobody has booked', async () => {
    const rest = "'credit', AMOUNT, null, 'gift'";
    tamper(add('funding', -500, 'crd_x', rest), add('available', 500, 'crd_x', rest), more(500));

    expect(await verified()).toMatchObject({ errors: ['credit_differs_from_change'], credit: 'gift' });
  });

  it('shows a credit without a name', async () => {
    const rest = "'credit', AMOUNT, null, null";
    tamper(add('funding', -500, 'crd_x', rest), add('available', 500, 'crd_x', rest), more(500));

    expect(await verified()).toMatchObject({ errors: ['credit_differs_from_change'], credit: 'crd_x' });
  });

  it('shows a credit of another amount', async () => {
    tamper(
      "update wallet_entries set amount_micro_usd = amount_micro_usd * 2 where reference = 'invoice 1'",
      more(1_000),
    );

    expect(await verified()).toMatchObject({ errors: ['credit_differs_from_change'], credit: 'invoice 1' });
  });

  it('shows a credit that is gone', async () => {
    tamper("delete from wallet_entries where reference = 'invoice 2'", more(-50));

    expect(await verified()).toMatchObject({ errors: ['credit_differs_from_change'], credit: 'invoice 2' });
  });

  it.each(['req_1/refund', 'req_0/settlement'])('shows money that came back by %s', async (movement) => {
    const rest = `'settlement', AMOUNT, '${movement.split('/')[0]}', null`;
    tamper(
      add('spent', -100, movement, rest),
      add('available', 100, movement, rest),
      'update wallets set available_micro_usd = available_micro_usd + 100, spent_micro_usd = spent_micro_usd - 100',
    );

    expect(await verified()).toMatchObject({
      errors: ['settlement_differs_from_cost'],
      settlement: movement.split('/')[0],
    });
  });

  it('is not what retention does, which deletes changes and records', async () => {
    for (const writer of await stores.auditRetention.candidates(Number.MAX_SAFE_INTEGER)) {
      const order = { closedBeforeMs: Number.MAX_SAFE_INTEGER, limit: 1_000, rule: 'retention 1 days' };
      await stores.auditRetention.purge(writer, order);
    }

    expect(await stores.auditLog.find('req_1')).toBeUndefined();
    expect(await verified()).toEqual({ errors: [], credit: null, settlement: null });
  });
});
