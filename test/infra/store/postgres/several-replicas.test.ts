import { sha256 } from '../../../../src/infra/runtime/sha256';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { VerifyAudit } from '../../../../src/usecase/audit/verify-audit';
import type { Stores } from '../../../contract/stores';
import { describeOnPostgres, TestDatabase } from '../../../support/postgres/test-database';
import {
  closing,
  failedAttempt,
  FIRST_ATTEMPT,
  opening,
  TENANT,
} from '../../../support/store/sample-records';
import { storesOn } from '../../../support/store/sqlite-stores';

const CALLERS = 40;
const CLAIM = { bodyHash: 'body', supersedes: null };

describeOnPostgres('several replicas on one PostgreSQL', () => {
  let database: TestDatabase;
  let one: Stores;
  let other: Stores;
  beforeEach(async () => {
    database = await TestDatabase.create();
    [one, other] = await Promise.all([open(), open()]);
  });
  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.drop();
  });

  const open = async (): Promise<Stores> => storesOn(await database.open());
  const verify = () => new VerifyAudit({ chains: one.auditChains, hash: sha256 }).execute();
  const ids = (prefix: string): string[] =>
    Array.from({ length: CALLERS }, (_, index) => `req_${prefix}_${index}`);

  it('never reserve more of a wallet than it holds, and never book anything twice', async () => {
    for (const id of ['ten_1', 'ten_2']) await one.tenants.insertTenant({ ...TENANT, id, name: id });
    await database.query(`insert into wallets select id, 0, 1000, 0, 0 from tenants`);
    const serve = async (stores: Stores, id: string, index: number): Promise<string> => {
      // In turns, so that every batch is about both wallets, in either order.
      const tenant = index % 2 === 0 ? 'ten_1' : 'ten_2';
      const opened = await stores.interactions.open(opening(id, { tenant, reservationMicroUsd: 100 }));
      if (opened.kind === 'opened') await stores.interactions.close(closing(id, { costMicroUsd: 70 }));
      return opened.kind;
    };

    const outcomes = await Promise.all([
      ...ids('a').map((id, index) => serve(one, id, index)),
      ...ids('b').map((id, index) => serve(other, id, index + 1)),
    ]);

    const { rows } = await database.query('select * from wallets order by tenant');
    const served = outcomes.filter((kind) => kind === 'opened').length;
    const spent = rows.map((row) => Number(row['spent_micro_usd']));
    expect(rows.every((row) => Number(row['available_micro_usd']) >= 0)).toBe(true);
    expect(rows.map((row) => Number(row['reserved_micro_usd']))).toEqual([0, 0]);
    expect(spent[0]! + spent[1]!).toBe(served * 70);
    // 1000 paid for at least ten that cost 70 and reserve 100, and for fourteen at most.
    expect(served).toBeGreaterThanOrEqual(20);
    expect(served).toBeLessThanOrEqual(28);
    const books = await database.query(
      'select account, sum(amount_micro_usd)::int as sum from wallet_entries group by account order by account',
    );
    expect(books.rows).toEqual([
      { account: 'available', sum: -served * 70 },
      { account: 'reserved', sum: 0 },
      { account: 'spent', sum: served * 70 },
    ]);
  });

  it('let one of them have an idempotency key, however many ask at once in whatever order', async () => {
    const keys = Array.from({ length: CALLERS }, (_, index) => `hash_${index}`);
    const claim = (stores: Stores, prefix: string, keyHash: string) =>
      stores.interactions.open(opening(`req_${prefix}_${keyHash}`, { idempotency: { ...CLAIM, keyHash } }));

    const [ofOne, ofOther] = await Promise.all([
      Promise.all(keys.map((key) => claim(one, 'a', key))),
      Promise.all([...keys].reverse().map((key) => claim(other, 'b', key))),
    ]);

    const outcomes = keys.map((_, index) => [ofOne[index]!.kind, [...ofOther].reverse()[index]!.kind].sort());
    expect(outcomes).toEqual(keys.map(() => ['idempotency_taken', 'opened']));
  });

  it('close each interaction once, in chains that verify', async () => {
    const open = ids('c');
    await Promise.all(open.map((id) => one.interactions.open(opening(id))));

    const [ofOne, ofOther] = await Promise.all(
      [one, other].map((stores) => Promise.all(open.map((id) => stores.interactions.close(closing(id))))),
    );

    expect(open.map((_, index) => [ofOne![index], ofOther![index]].sort())).toEqual(
      open.map(() => ['already_closed', 'closed']),
    );
    const { breaks, verifiedOf } = await verify();
    expect(breaks).toEqual([]);
    expect(verifiedOf.get('ten_1')).toBe(CALLERS);
  });

  it('open their chains one after the other, each naming the one before', async () => {
    const third = await open();
    const replicas = [one, other, third];
    await Promise.all(replicas.map((stores, index) => stores.interactions.open(opening(`req_${index}`))));

    await Promise.all(replicas.map((stores, index) => stores.interactions.close(closing(`req_${index}`))));

    const previous = (await one.auditChains.chains()).map(({ genesis }) => genesis.previous?.writer ?? null);
    expect(new Set(previous).size).toBe(3);
    expect((await verify()).breaks).toEqual([]);
    await third.close();
  });

  it('change the configuration while they serve, and wait for nobody who waits for them', async () => {
    const names = ids('d');

    await Promise.all([
      ...names.map(async (id, index) => {
        const stores = index % 2 === 0 ? one : other;
        await stores.interactions.open(opening(id));
        await stores.interactions.advance(id, failedAttempt(), { ...FIRST_ATTEMPT, number: 2 }, null);
        await stores.interactions.close(closing(id));
      }),
      ...names.map((id, index) =>
        (index % 2 === 0 ? one : other).tenants.insertTenant({ ...TENANT, id, name: id }),
      ),
    ]);

    const { breaks, chains } = await verify();
    expect(breaks).toEqual([]);
    expect(chains.map(({ verified }) => verified).reduce((sum, count) => sum + count, 0)).toBe(2 * CALLERS);
    await one.refresh();
    expect(one.configuration.tenants()).toHaveLength(CALLERS);
  });

  it('put nothing on top of a commit of which they do not know the end', async () => {
    await one.interactions.open(opening('req_before'));
    await one.interactions.close(closing('req_before'));
    const open = ids('e');
    await Promise.all(open.map((id) => one.interactions.open(opening(id))));

    const closings = Promise.allSettled(open.map((id) => one.interactions.close(closing(id))));
    await database.cutConnections();
    const outcomes = await closings;
    await one.interactions.open(opening('req_after'));
    await one.interactions.close(closing('req_after'));

    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    expect((await verify()).breaks).toEqual([]);
  });
});

describeOnPostgres('an interaction on PostgreSQL', () => {
  it('holds what its text cannot, as a replacement character, and its hash fits', async () => {
    const database = await TestDatabase.create();
    const stores = await storesOn(await database.open());
    await stores.interactions.open(
      opening('req_1', { requestedModel: 'a\0b\uD800c😀', feature: 'it\'s \\ "\n' }),
    );
    await stores.interactions.close(closing('req_1'));

    const record = await stores.auditLog.find('req_1');
    const { breaks } = await new VerifyAudit({ chains: stores.auditChains, hash: sha256 }).execute();

    expect(record).toMatchObject({ requestedModel: 'a\uFFFDb\uFFFDc😀', feature: 'it\'s \\ "\n' });
    expect(breaks).toEqual([]);
    await stores.close();
    await database.drop();
  });
});
