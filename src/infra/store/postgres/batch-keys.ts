import type { ClosingRecord, OpeningRecord } from '../../../domain/audit/audit-record';
import type { RequestId } from '../../../domain/kernel/ids';
import { claimRowOf, type IdempotencyKeyRow } from '../idempotency-row';
import type { BatchRows } from './batch-rows';

/** The idempotency keys that a batch has locked, as its openings take them one after the other. */
export class BatchKeys {
  private readonly holders: Map<string, RequestId>;
  private readonly claims = new Map<string, IdempotencyKeyRow>();

  constructor(
    stored: readonly IdempotencyKeyRow[],
    private readonly rows: BatchRows,
  ) {
    this.holders = new Map(stored.map((row) => [nameOf(row.tenant, row.key_hash), row.request_id]));
  }

  /** Whether somebody else has the key. If another process takes it before we commit, our insert fails, and we look again. */
  isTaken({ tenant, idempotency }: OpeningRecord): boolean {
    if (idempotency === null) return false;
    const holder = this.holders.get(nameOf(tenant, idempotency.keyHash));
    return holder !== undefined && holder !== idempotency.supersedes;
  }

  claim(opening: OpeningRecord): void {
    const { idempotency, tenant, requestId } = opening;
    if (idempotency === null) return;
    const name = nameOf(tenant, idempotency.keyHash);
    const row = claimRowOf(opening, idempotency);
    if (this.holders.has(name)) this.rows.add('takeovers', row);
    else this.claims.set(name, row);
    this.holders.set(name, requestId);
  }

  settle({ requestId, state, sealedAnswer }: ClosingRecord): void {
    this.rows.add('settledKeys', { request_id: requestId, state, answer: sealedAnswer ?? null });
  }

  /** In one order on every process, so that no two of them wait for each other's keys. */
  collect(): void {
    const names = [...this.claims.keys()].sort();
    for (const name of names) {
      const row = this.claims.get(name);
      if (row !== undefined) this.rows.add('claims', row);
    }
  }
}

function nameOf(tenant: string, keyHash: string): string {
  return `${tenant}/${keyHash}`;
}
