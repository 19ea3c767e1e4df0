import { PostgresInteractionCommitter } from '../../../../src/infra/store/postgres/postgres-interaction-committer';
import type { PostgresDatabase } from '../../../../src/infra/store/postgres/postgres-database';
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
    const committer = new PostgresInteractionCommitter(opened.interactions, testChain());
    await committer.commit([open('req_7')]);

    const outcomes = await committer.commit(Array.from({ length: 20 }, (_, index) => open(`req_${index}`)));

    expect(outcomes.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, (_, index) => index !== 7));
    const { rows } = await database.query('select count(*)::int as count from interactions');
    expect(rows).toEqual([{ count: 20 }]);
  });

  it('leaves the chain alone where nothing was closed: another transaction may be linking to it', async () => {
    const chain = testChain();
    const committer = new PostgresInteractionCommitter(opened.interactions, chain);
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
    const committer = new PostgresInteractionCommitter(opened.interactions, chain);
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
});
