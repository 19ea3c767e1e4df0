import { ok } from '../../../../src/domain/kernel/result';
import { PostgresInteractionCommitter } from '../../../../src/infra/store/postgres/postgres-interaction-committer';
import type { PostgresDatabase } from '../../../../src/infra/store/postgres/postgres-database';
import { updateAll } from '../../../../src/infra/store/postgres/record-set';
import type { InteractionWrite } from '../../../../src/infra/store/interaction-store';
import { describeOnPostgres, TestDatabase } from '../../../support/postgres/test-database';
import { closing, opening } from '../../../support/store/sample-records';
import { testChain } from '../../../support/store/test-chain';

const open = (id: string): InteractionWrite => ({ kind: 'open', opening: opening(id) });
const close = (id: string): InteractionWrite => ({ kind: 'close', closing: closing(id) });

describeOnPostgres('the committer of interactions on PostgreSQL', () => {
  let database: TestDatabase;
  let opened: PostgresDatabase;
  beforeEach(async () => {
    database = await TestDatabase.create();
    opened = await database.open();
  });
  afterEach(async () => {
    await opened.close();
    await database.drop();
  });

  it('finds the one write that the store refuses, and commits all others', async () => {
    const committer = new PostgresInteractionCommitter(opened, testChain());
    await committer.commit([open('req_7')]);

    const outcomes = await committer.commit(Array.from({ length: 20 }, (_, index) => open(`req_${index}`)));

    expect(outcomes.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, (_, index) => index !== 7));
    const { rows } = await database.query('select count(*)::int as count from interactions');
    expect(rows).toEqual([{ count: 20 }]);
  });

  it('leaves the chain alone where nothing was closed: another transaction may be linking to it', async () => {
    const chain = testChain();
    const committer = new PostgresInteractionCommitter(opened, chain);
    await committer.commit([open('req_1')]);
    const endTurn = await chain.turn();

    const refused = committer.commit([open('req_1')]);
    chain.open(null);
    const head = chain.head;
    const outcomes = await refused;

    expect(outcomes.map(({ ok }) => ok)).toEqual([false]);
    expect(chain.head).toBe(head);
    endTurn();
  });

  it('waits for its turn with what it closes', async () => {
    const chain = testChain();
    const committer = new PostgresInteractionCommitter(opened, chain);
    await committer.commit([open('req_1')]);
    const endTurn = await chain.turn();
    let state = 'waiting';
    const closed = committer.commit([close('req_1')]).then(() => (state = 'committed'));
    // By then it has its rows, and asks for its turn.
    await database.query('select pg_sleep(0.05)');
    expect(state).toBe('waiting');

    endTurn();
    await closed;

    expect(chain.head?.sequence).toBe(1);
  });

  it('goes on while a newer version adds columns to what it reads and writes', async () => {
    const committer = new PostgresInteractionCommitter(opened, testChain());
    await committer.commit([open('req_1')]);
    await committer.commit([close('req_1')]);
    for (const table of ['interactions', 'attempts', 'wallets', 'idempotency_keys'])
      await database.query(`alter table ${table} add column of_tomorrow text`);

    const outcomes = [await committer.commit([open('req_2')]), await committer.commit([close('req_2')])];

    expect(outcomes).toEqual([[ok('written')], [ok('written')]]);
  });

  it('connects again where the server has forgotten the statements', async () => {
    const committer = new PostgresInteractionCommitter(opened, testChain());
    await committer.commit([open('req_1')]);
    await opened.interactions.query('deallocate all');

    await expect(committer.commit([open('req_2')])).rejects.toMatchObject({ code: '26000' });

    expect(await committer.commit([open('req_2')])).toEqual([ok('written')]);
  });
});

describeOnPostgres('the connection on which interactions are written', () => {
  let database: TestDatabase;
  let opened: PostgresDatabase;
  beforeAll(async () => {
    database = await TestDatabase.create();
    opened = await database.open();
    const committer = new PostgresInteractionCommitter(opened, testChain());
    await committer.commit(Array.from({ length: 2_000 }, (_, index) => open(`req_${index}`)));
  });
  afterAll(async () => {
    await opened.close();
    await database.drop();
  });

  // A commit of one closing read all attempts of a table of 7,000, which took longer than everything else in it.
  it.each([
    updateAll('attempts', ['request_id', 'number'], [{ request_id: 'req_1', number: 1, status: 200 }]),
    updateAll('interactions', ['request_id'], [{ request_id: 'req_1', state: 'served' }]),
    updateAll('wallets', ['tenant'], [{ tenant: 'ten_1', spent_micro_usd: 1 }]),
    updateAll('audit_chains', ['writer'], [{ writer: 'writer_1', last_sequence: 1 }]),
    updateAll('idempotency_keys', ['request_id'], [{ request_id: 'req_1', state: 'served' }]),
  ])('finds by key what it changes: $text', async ({ text, values }) => {
    const { rows } = await opened.interactions.query<Record<'QUERY PLAN', string>>(`explain ${text}`, values);

    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join/);
  });
});
