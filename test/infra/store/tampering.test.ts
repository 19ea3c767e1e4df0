import type { ChainBreak } from '../../../src/domain/audit/chain-break';
import { sha256 } from '../../../src/infra/runtime/sha256';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { VerifyAudit } from '../../../src/usecase/audit/verify-audit';
import type { Stores } from '../../contract/stores';
import { closing, failedAttempt, FIRST_ATTEMPT, opening, TENANT } from '../../support/store/sample-records';
import { storesOn } from '../../support/store/sqlite-stores';

const SECOND_ATTEMPT = { ...FIRST_ATTEMPT, number: 2, action: 'retry' as const, startedAtMs: 10_070 };

describe('tampering by SQL', () => {
  let database: SqliteDatabase;
  let stores: Stores;

  beforeEach(async () => {
    database = await openSqliteDatabase(':memory:');
    stores = await storesOn(database);
    for (const id of ['req_1', 'req_2', 'req_3', 'req_4']) await served(id);
    database.connection.pragma('foreign_keys = OFF');
  });
  afterEach(() => stores.close());

  async function served(id: string): Promise<void> {
    await stores.interactions.open(opening(id));
    await stores.interactions.advance(id, failedAttempt(), SECOND_ATTEMPT, null);
    await stores.interactions.close(
      closing(id, { attempts: 2, lastAttempt: { ...failedAttempt(SECOND_ATTEMPT) } }),
    );
  }

  const tamper = (sql: string): void => void database.connection.exec(sql);
  const breaks = async (): Promise<readonly ChainBreak[]> =>
    (await new VerifyAudit({ chains: stores.auditChains, hash: sha256 }).execute()).breaks;
  const firstBreak = async () => {
    const [first] = await breaks();
    return first === undefined ? null : [first.what, first.sequence, first.record?.id ?? null];
  };
  const columnsOf = (table: string): string[] =>
    database.connection
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map((row) => (row as { name: string }).name);

  it('is not what an untouched log shows', async () => {
    expect(await breaks()).toEqual([]);
  });

  it('shows in every column of an interaction', async () => {
    const unnoticed: string[] = [];
    for (const column of columnsOf('interactions')) {
      tamper('begin');
      tamper(
        `update interactions set "${column}" = 'x' || coalesce("${column}", '') where request_id = 'req_2'`,
      );
      if ((await firstBreak())?.[1] !== 2) unnoticed.push(column);
      tamper('rollback');
    }

    expect(unnoticed).toEqual([]);
    expect(columnsOf('interactions').length).toBeGreaterThan(35);
  });

  it('shows in every column of a ledger row', async () => {
    const unnoticed: string[] = [];
    for (const column of columnsOf('attempts')) {
      tamper('begin');
      tamper(
        `update attempts set "${column}" = 'x' || coalesce("${column}", '') where request_id = 'req_2' and number = 1`,
      );
      if (JSON.stringify(await firstBreak()) !== '["changed",2,"req_2"]') unnoticed.push(column);
      tamper('rollback');
    }

    expect(unnoticed).toEqual([]);
  });

  it('shows where a value is replaced by nothing', async () => {
    tamper("update interactions set cost_micro_usd = null where request_id = 'req_3'");

    expect(await firstBreak()).toEqual(['changed', 3, 'req_3']);
  });

  it.each<[string, string, unknown]>([
    [
      'a cost',
      "update interactions set cost_micro_usd = 1 where request_id = 'req_3'",
      ['changed', 3, 'req_3'],
    ],
    ['a hash', "update interactions set hash = 'ff' where request_id = 'req_1'", ['changed', 1, 'req_1']],
    [
      'a ledger row less',
      "delete from attempts where request_id = 'req_3' and number = 1",
      ['changed', 3, 'req_3'],
    ],
    [
      'a ledger row more',
      `insert into attempts (request_id, number, action, route, provider, channel, region, model, upstream_name, trial,
        backoff_ms, started_at, outcome, headers_at, first_output_at, ended_at, status, upstream_request_id, finish_reason,
        fault_class, fault_code, stage, aborted_by, retry_after_ms, request_sent, cost_pico_usd, ignored_params,
        input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, usage_source, usage_raw)
        select request_id, 3, action, route, provider, channel, region, model, upstream_name, trial,
        backoff_ms, started_at, outcome, headers_at, first_output_at, ended_at, status, upstream_request_id, finish_reason,
        fault_class, fault_code, stage, aborted_by, retry_after_ms, request_sent, cost_pico_usd, ignored_params,
        input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, usage_source, usage_raw
        from attempts where request_id = 'req_2' and number = 1`,
      ['changed', 2, 'req_2'],
    ],
    ['the first record deleted', "delete from interactions where request_id = 'req_1'", ['missing', 1, null]],
    [
      'a record in the middle deleted',
      "delete from interactions where request_id = 'req_2'",
      ['missing', 2, null],
    ],
    ['the last record deleted', "delete from interactions where request_id = 'req_4'", ['missing', 4, null]],
    ['all records deleted', 'delete from interactions', ['missing', 1, null]],
    [
      'two neighbours swapped',
      `update interactions set sequence = 99 where request_id = 'req_2';
       update interactions set sequence = 2 where request_id = 'req_3';
       update interactions set sequence = 3 where request_id = 'req_2'`,
      ['reordered', 2, 'req_3'],
    ],
    [
      'two distant ones swapped',
      `update interactions set sequence = 99 where request_id = 'req_1';
       update interactions set sequence = 1 where request_id = 'req_4';
       update interactions set sequence = 4 where request_id = 'req_1'`,
      ['reordered', 1, 'req_4'],
    ],
    [
      'one moved to the end',
      "update interactions set sequence = 9 where request_id = 'req_2'",
      ['reordered', 2, null],
    ],
    [
      'one inserted and the others shifted',
      `update interactions set sequence = sequence + 100 where sequence > 1;
       update interactions set sequence = sequence - 99 where sequence > 100;
       insert into interactions (request_id, tenant, api_key, state, opened_at, deadline_at, requested_model, stream,
         planned, refusals, closed_at, writer, sequence, hash)
         select 'req_x', tenant, api_key, state, opened_at, deadline_at, requested_model, stream, planned, refusals,
         closed_at, writer, 2, hash from interactions where request_id = 'req_1'`,
      ['inserted', 2, 'req_x'],
    ],
    [
      'one inserted behind the end',
      `insert into interactions (request_id, tenant, api_key, state, opened_at, deadline_at, requested_model, stream,
         planned, refusals, closed_at, writer, sequence, hash)
         select 'req_x', tenant, api_key, state, opened_at, deadline_at, requested_model, stream, planned, refusals,
         closed_at, writer, 5, hash from interactions where request_id = 'req_1'`,
      ['inserted', 5, 'req_x'],
    ],
    [
      'one inserted without a chain',
      `insert into interactions (request_id, tenant, api_key, state, opened_at, deadline_at, requested_model, stream,
         planned, refusals, closed_at)
         select 'req_x', tenant, api_key, state, opened_at, deadline_at, requested_model, stream, planned, refusals,
         closed_at from interactions where request_id = 'req_1'`,
      ['inserted', null, 'req_x'],
    ],
    [
      'one inserted before the beginning',
      `insert into interactions (request_id, tenant, api_key, state, opened_at, deadline_at, requested_model, stream,
         planned, refusals, closed_at, writer, sequence, hash)
         select 'req_x', tenant, api_key, state, opened_at, deadline_at, requested_model, stream, planned, refusals,
         closed_at, writer, 0, hash from interactions where request_id = 'req_1'`,
      ['inserted', 0, 'req_x'],
    ],
    ['the opening of the chain', 'update audit_chains set opened_at = opened_at + 1', ['changed', 0, null]],
    ['the end of the chain', "update audit_chains set last_hash = 'ff'", ['changed', 4, null]],
    ['a shorter chain', 'update audit_chains set last_sequence = 3', ['inserted', 4, null]],
    ['a chain that nobody opened', 'delete from audit_chains', ['inserted', 1, 'req_1']],
  ])('names %s', async (_name, sql, expected) => {
    tamper(sql);

    expect(await firstBreak()).toEqual(expected);
  });

  it('names a chain that vanished with all its records, since the next one was opened after it', async () => {
    const successor = await storesOn(database);
    await successor.interactions.open(opening('req_5'));
    await successor.interactions.close(closing('req_5'));

    tamper("delete from interactions where request_id <> 'req_5'");
    tamper('delete from audit_chains where previous_writer is null');

    expect(await firstBreak()).toEqual(['missing', 0, null]);
  });

  it('is not purged away: retention stops at a record whose time was changed', async () => {
    tamper("update interactions set closed_at = 1 where request_id = 'req_2'");
    const [chain] = await stores.auditChains.chains();

    const order = { closedBeforeMs: 12_001, limit: 100, rule: 'retention 1 days' };
    const passed = await stores.auditRetention.purge(chain?.genesis.writer ?? '', order);

    expect(passed).toBe(1);
    expect(await firstBreak()).toEqual(['changed', 2, 'req_2']);
  });

  it('shows in every column of a change', async () => {
    await stores.author.actAs('key_7', () => stores.tenants.insertTenant(TENANT));
    const unnoticed: string[] = [];
    for (const column of columnsOf('audit_changes')) {
      tamper('begin');
      tamper(`update audit_changes set "${column}" = 'x' || coalesce("${column}", '')`);
      if ((await firstBreak())?.[1] !== 5) unnoticed.push(column);
      tamper('rollback');
    }

    expect(unnoticed).toEqual([]);
  });
});
