import type Sqlite from 'better-sqlite3';
import type { ClosingRecord, OpeningRecord } from '../../../domain/audit/audit-record';
import { claimKey, NOBODY, settleKey } from '../idempotency-queries';
import { claimRowOf, type IdempotencyKeyRow, type SettledKeyRow } from '../idempotency-row';
import { PreparedWrite } from './prepared-write';
import type { SqliteDatabase } from './sqlite-database';

/** Claims and settles idempotency keys within the transaction of the interaction's own record. */
export class SqliteKeyClaims {
  private readonly holder: Sqlite.Statement<[string, string], Pick<IdempotencyKeyRow, 'request_id'>>;
  private readonly claims: PreparedWrite<IdempotencyKeyRow>;
  private readonly settlements: PreparedWrite<SettledKeyRow>;

  constructor({ connection, kysely: db }: SqliteDatabase) {
    this.holder = connection.prepare(
      db
        .selectFrom('idempotency_keys')
        .select('request_id')
        .where('tenant', '=', '')
        .where('key_hash', '=', '')
        .compile().sql,
    );
    this.claims = new PreparedWrite(connection, (row) => claimKey(db, row, null));
    this.settlements = new PreparedWrite(connection, (row) => settleKey(db, row, ''));
  }

  /** Whether somebody else has the key. Nobody takes it before this transaction ends, for it has the write lock. */
  isTaken({ tenant, idempotency }: OpeningRecord): boolean {
    if (idempotency === null) return false;
    const holder = this.holder.get(tenant, idempotency.keyHash);
    return holder !== undefined && holder.request_id !== idempotency.supersedes;
  }

  claim(opening: OpeningRecord): void {
    const { idempotency, requestId } = opening;
    if (idempotency === null) return;
    const claimed = this.claims.run(claimRowOf(opening, idempotency), idempotency.supersedes ?? NOBODY);
    if (claimed === 0) throw new Error(`${requestId} claims a key that is taken`);
  }

  settle({ requestId, state, sealedAnswer }: ClosingRecord): void {
    this.settlements.run({ state, answer: sealedAnswer ?? null }, requestId);
  }
}
