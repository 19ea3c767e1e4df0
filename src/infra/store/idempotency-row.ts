import type { OpeningRecord } from '../../domain/audit/audit-record';
import type { KeyClaim } from '../../domain/interaction/idempotency';
import type { FinalState, InteractionState } from '../../domain/interaction/interaction';
import type { KeptHolder } from '../../usecase/port/idempotency-keys';

/** The interaction that ran last under a key. Without a reference to its record, which retention may delete earlier. */
export type IdempotencyKeyRow = Readonly<{
  tenant: string;
  key_hash: string;
  body_hash: string;
  request_id: string;
  billable_id: string;
  claimed_at: number;
  state: InteractionState;
  /** Encrypted. Null: there is none to be repeated. */
  answer: string | null;
}>;

/** What the end of its interaction changes. */
export type SettledKeyRow = Readonly<{ state: FinalState; answer: string | null }>;

export function claimRowOf(opening: OpeningRecord, claim: KeyClaim): IdempotencyKeyRow {
  return {
    tenant: opening.tenant,
    key_hash: claim.keyHash,
    body_hash: claim.bodyHash,
    request_id: opening.requestId,
    billable_id: opening.billableId,
    claimed_at: opening.openedAtMs,
    state: 'open',
    answer: null,
  };
}

export function keptHolderOf(row: IdempotencyKeyRow): KeptHolder {
  return {
    requestId: row.request_id,
    billableId: row.billable_id,
    bodyHash: row.body_hash,
    claimedAtMs: row.claimed_at,
    state: row.state,
    answer: row.answer,
  };
}
