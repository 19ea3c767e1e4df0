import type { KeyHolder } from '../../domain/interaction/idempotency';
import type { TenantId } from '../../domain/kernel/ids';
import type { SealedAnswer } from './idempotency-secrets';

/**
 * Who holds which `Idempotency-Key`. Claims are made by `InteractionStore.open` and settled by `close`, in the commits of
 * those rows. A store that can't be read rejects with `StoreUnavailable`.
 */
export interface IdempotencyKeys {
  /** Null: nobody has claimed the key, or it has been purged. */
  holderOf(tenant: TenantId, keyHash: string): Promise<KeptHolder | null>;
  /** Forgets keys that were claimed so long ago and whose interaction has ended, `limit` at most; returns how many. */
  purge(claimedUntilMs: number, limit: number): Promise<number>;
}

/** `answer`: what the caller of a served interaction got; null: it isn't served, or its answer was too large to keep. */
export type KeptHolder = KeyHolder & Readonly<{ answer: SealedAnswer | null }>;
