import { SqlAuditLog } from '../../../src/infra/store/audit-log';
import { openSqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { plannerHints, type StoreDatabase } from '../../../src/infra/store/store-database';
import type { AuditFilter, AuditPosition } from '../../../src/usecase/port/audit-log';
import { describeOnPostgres, TestDatabase } from '../../support/postgres/test-database';
import { closing, opening } from '../../support/store/sample-records';
import { storesOn } from '../../support/store/sqlite-stores';

const LOOKED_THROUGH = 4;
/** The newest and one of the oldest; ids and times rise together. */
const RARE = [2, 10];

type Opened = Readonly<{ database: StoreDatabase; remove: () => Promise<void> }>;

describe('a page of the audit log for what is rare', () => {
  describe('on SQLite', () => looksOnlySoFar(sqlite));
  describeOnPostgres('on PostgreSQL', () => looksOnlySoFar(postgres));
});

function looksOnlySoFar(open: () => Promise<Opened>): void {
  let opened: Opened;
  let log: SqlAuditLog;
  beforeAll(async () => {
    opened = await open();
    log = new SqlAuditLog(opened.database.kysely, plannerHints(opened.database), LOOKED_THROUGH);
    const { interactions } = await storesOn(opened.database);
    for (let number = 1; number <= 10; number++) {
      const id = `req_${String(number).padStart(2, '0')}`;
      const service = RARE.includes(number) ? 'rare' : 'common';
      await interactions.open(opening(id, { openedAtMs: number * 1_000, service }));
      const fallbackReason = RARE.includes(number) ? 'primary_provider_5xx' : null;
      const state = RARE.includes(number) ? 'failed' : 'served';
      await interactions.close(closing(id, { fallbackReason, state }));
    }
  });
  afterAll(() => opened.remove());

  const pagesOf = async (filter: AuditFilter, limit = 10) => {
    const pages: (readonly string[])[] = [];
    let after: AuditPosition | null = null;
    do {
      const page: Awaited<ReturnType<SqlAuditLog['page']>> = await log.page(filter, { after, limit });
      pages.push(page.records.map(({ requestId }) => requestId));
      after = page.next;
    } while (after !== null);
    return pages;
  };

  it('looks through so many records, and the next one goes on where it stopped', async () => {
    expect(await pagesOf({ service: 'rare' })).toEqual([['req_10'], [], ['req_02']]);
  });

  it('comes to an end where nothing is found', async () => {
    expect(await pagesOf({ service: 'nobody' })).toEqual([[], [], []]);
  });

  it('neither repeats nor loses what fills it before it has looked so far', async () => {
    const pages = await pagesOf({ service: 'common' }, 2);
    expect(pages.flat()).toEqual([
      'req_09',
      'req_08',
      'req_07',
      'req_06',
      'req_05',
      'req_04',
      'req_03',
      'req_01',
    ]);
  });

  it('gives each record of a time once, page by page', async () => {
    const pages = await pagesOf({ fromMs: 3_000, toMs: 8_000 }, 2);
    expect(pages).toEqual([['req_07', 'req_06'], ['req_05', 'req_04'], ['req_03']]);
  });

  it('counts only the records of the tenant and the time that were asked for', async () => {
    const filter = { tenant: 'ten_1', service: 'rare', fromMs: 1_000, toMs: 5_000 };
    expect(await pagesOf(filter)).toEqual([['req_02'], []]);
  });

  const ALL = [...Array(10).keys()].map((index) => `req_${String(10 - index).padStart(2, '0')}`);
  it.each<[string, AuditFilter, string[][]]>([
    ['no condition', {}, [ALL]],
    ['conditions that ask for nothing', { service: undefined, attempt: { channel: undefined } }, [ALL]],
    ['an index that finds them', { fallback: true }, [['req_10', 'req_02']]],
    ['an index of their state', { state: 'failed' }, [['req_10', 'req_02']]],
    ['an index of their state, in a time', { state: 'failed', fromMs: 3_000 }, [['req_10']]],
    ['more than their state', { state: 'failed', service: 'nobody' }, [[], [], []]],
    ['a state that most have', { state: 'open' }, [[], [], []]],
  ])('looks as far as it must with %s', async (_, filter, pages) => {
    expect(await pagesOf(filter)).toEqual(pages);
  });

  it('looks only so far for an attempt', async () => {
    expect(await pagesOf({ attempt: { channel: 'ch_nowhere' } })).toEqual([[], [], []]);
  });
}

async function sqlite(): Promise<Opened> {
  const database = await openSqliteDatabase(':memory:');
  return { database, remove: () => database.close() };
}

async function postgres(): Promise<Opened> {
  const own = await TestDatabase.create();
  const database = await own.open();
  return {
    database,
    remove: async () => {
      await database.close();
      await own.drop();
    },
  };
}
