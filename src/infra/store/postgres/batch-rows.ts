import type { QueryConfig } from 'pg';
import { insertAll, updateAll, type Cells } from './record-set';

/** What each kind of row needs, in the order in which it is written: a row comes before what refers to it. */
const STATEMENTS = {
  chains: (rows) => insertAll('audit_chains', rows),
  openings: (rows) => insertAll('interactions', rows),
  starts: (rows) => insertAll('attempts', rows),
  wholeAttempts: (rows) => insertAll('attempts', rows),
  ends: (rows) => updateAll('attempts', ['request_id', 'number'], rows),
  reservations: (rows) => updateAll('interactions', ['request_id'], rows),
  closings: (rows) => updateAll('interactions', ['request_id'], rows),
  wallets: (rows) => updateAll('wallets', ['tenant'], rows),
  entries: (rows) => insertAll('wallet_entries', rows),
  claims: (rows) => insertAll('idempotency_keys', rows),
  takeovers: (rows) => updateAll('idempotency_keys', ['tenant', 'key_hash'], rows),
  settledKeys: (rows) => updateAll('idempotency_keys', ['request_id'], rows),
  heads: (rows) => updateAll('audit_chains', ['writer'], rows),
} as const satisfies Record<string, (rows: readonly Cells[]) => QueryConfig>;

type RowKind = keyof typeof STATEMENTS;

/** The rows that a batch writes, collected until all of it is decided. */
export class BatchRows {
  private readonly rows = new Map<RowKind, Cells[]>();

  add(kind: RowKind, ...added: readonly Cells[]): void {
    const rows = this.rows.get(kind);
    if (rows === undefined) this.rows.set(kind, [...added]);
    else rows.push(...added);
  }

  /** A statement for each kind of which there is a row. */
  statements(): readonly QueryConfig[] {
    return (Object.keys(STATEMENTS) as RowKind[]).flatMap((kind) => {
      const rows = this.rows.get(kind) ?? [];
      return rows.length === 0 ? [] : [STATEMENTS[kind](rows)];
    });
  }
}
