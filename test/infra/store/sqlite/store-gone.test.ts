import { GroupCommit } from '../../../../src/infra/store/group-commit';
import { SqlInteractionStore } from '../../../../src/infra/store/interaction-store';
import { SqlAuditLog } from '../../../../src/infra/store/audit-log';
import { openSqliteDatabase, type SqliteDatabase } from '../../../../src/infra/store/sqlite/sqlite-database';
import { sqliteHints } from '../../../../src/infra/store/planner-hints';
import { SqliteInteractionCommitter } from '../../../../src/infra/store/sqlite/sqlite-interaction-committer';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { opening } from '../../../support/store/sample-records';
import { testChain } from '../../../support/store/test-chain';

describe('interactions on SQLite', () => {
  let database: SqliteDatabase;
  let interactions: SqlInteractionStore;
  let auditLog: SqlAuditLog;
  beforeEach(async () => {
    database = await openSqliteDatabase(':memory:');
    interactions = new SqlInteractionStore(
      new GroupCommit(new SqliteInteractionCommitter(database, testChain())),
    );
    auditLog = new SqlAuditLog(database.kysely, sqliteHints);
  });
  afterEach(() => database.close());

  const large = (id: string) => opening(id, { requestedModel: 'm'.repeat(100_000) });

  it('are refused while the disk is full, and taken when it has room again', async () => {
    const pages = database.connection.pragma('page_count', { simple: true }) as number;
    database.connection.pragma(`max_page_count = ${pages + 10}`);

    const outcomes = await Promise.allSettled([
      interactions.open(opening('req_1')),
      interactions.open(large('req_2')),
    ]);

    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: expect.any(StoreUnavailable) },
      { status: 'rejected', reason: expect.any(StoreUnavailable) },
    ]);
    expect(await auditLog.find('req_1')).toBeUndefined();
    database.connection.pragma(`max_page_count = ${pages + 1_000}`);
    await interactions.open(large('req_2'));
    expect((await auditLog.find('req_2'))!.state).toBe('open');
  });

  it('are refused, and not to be read, when the database is closed', async () => {
    await database.close();

    await expect(interactions.open(opening('req_1'))).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(auditLog.find('req_1')).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('wait for a transaction on the same connection instead of becoming part of it', async () => {
    let finish = (): void => undefined;
    const paused = new Promise<void>((resolve) => (finish = resolve));
    const transaction = database.kysely.transaction().execute(async () => {
      await paused;
      throw new Error('rolled back');
    });

    const opened = interactions.open(opening('req_1'));
    setImmediate(() => setImmediate(finish));

    await expect(transaction).rejects.toThrow('rolled back');
    await opened;
    expect((await auditLog.find('req_1'))!.state).toBe('open');
  });
});
