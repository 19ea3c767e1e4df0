import type { AttemptEndRow, AttemptRow, AttemptStartRow } from '../attempt-row';
import type { AuditChainRow, ChainPlace } from '../audit-chain-row';
import { insertChain, moveHead, newestChain } from '../chain-queries';
import type { closingRowOf, InteractionRow, OpeningRow } from '../interaction-row';
import { PreparedWrite } from './prepared-write';
import type { SqliteDatabase } from './sqlite-database';

export type InteractionStatements = ReturnType<typeof interactionStatements>;

/** The statements of the request path, built with the query builder and prepared once. */
export function interactionStatements(database: SqliteDatabase) {
  const { connection, kysely: db } = database;
  const columns = sortedColumns(connection);
  return {
    ...transactionStatements(database),
    open: new PreparedWrite<OpeningRow>(connection, (row) => db.insertInto('interactions').values(row)),
    close: new PreparedWrite<ReturnType<typeof closingRowOf> & ChainPlace>(connection, (row) =>
      db.updateTable('interactions').set(row).where('request_id', '=', '').where('closed_at', 'is', null),
    ),
    startAttempt: new PreparedWrite<AttemptStartRow>(connection, (row) =>
      db.insertInto('attempts').values(row),
    ),
    endAttempt: new PreparedWrite<AttemptEndRow>(connection, (row) =>
      db.updateTable('attempts').set(row).where('request_id', '=', '').where('number', '=', 0),
    ),
    insertAttempt: new PreparedWrite<AttemptRow>(connection, (row) => db.insertInto('attempts').values(row)),
    progress: connection.prepare<
      [string],
      Pick<InteractionRow, 'tenant' | 'closed_at' | 'reservation_micro_usd'>
    >(
      db
        .selectFrom('interactions')
        .select(['tenant', 'closed_at', 'reservation_micro_usd'])
        .where('request_id', '=', '')
        .compile().sql,
    ),
    setReservation: connection.prepare<[number, string]>(
      db.updateTable('interactions').set({ reservation_micro_usd: 0 }).where('request_id', '=', '').compile()
        .sql,
    ),
    interaction: connection.prepare<[string], InteractionRow>(
      db.selectFrom('interactions').select(columns.interactions).where('request_id', '=', '').compile().sql,
    ),
    // Not ordered: with a bound key and an order SQLite compiles the statement anew for every value (ENABLE_STAT4), and the
    // driver then the function that makes its rows; that was half the cost of a close.
    attempts: connection.prepare<[string], AttemptRow>(
      db.selectFrom('attempts').select(columns.attempts).where('request_id', '=', '').compile().sql,
    ),
    ...chainStatements(database),
  };
}

/** In the order in which they are hashed (`canonicalForm`), which saves sorting them for each record. */
function sortedColumns(connection: SqliteDatabase['connection']) {
  const of = (table: string): string[] =>
    connection
      .prepare<[string], string>('select name from pragma_table_info(?) order by name')
      .pluck()
      .all(table);
  return {
    interactions: of('interactions') as (keyof InteractionRow)[],
    attempts: of('attempts') as (keyof AttemptRow)[],
  };
}

function transactionStatements({ connection }: SqliteDatabase) {
  return {
    begin: connection.prepare('begin immediate'),
    commit: connection.prepare('commit'),
    rollback: connection.prepare('rollback'),
    savepoint: connection.prepare('savepoint one_write'),
    undo: connection.prepare('rollback to one_write'),
    release: connection.prepare('release one_write'),
  };
}

function chainStatements({ connection, kysely: db }: SqliteDatabase) {
  return {
    newestChain: connection.prepare<[number], Pick<AuditChainRow, 'writer' | 'last_sequence' | 'last_hash'>>(
      newestChain(db).compile().sql,
    ),
    openChain: new PreparedWrite<AuditChainRow>(connection, (row) => insertChain(db, row)),
    moveHead: connection.prepare<[number, string, string]>(
      moveHead(db, { writer: '', sequence: 0, hash: '' }).compile().sql,
    ),
  };
}
