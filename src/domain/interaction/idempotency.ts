import type { RequestId } from '../kernel/ids';
import type { InteractionState } from './interaction';

/** DESIGN §7: a key is remembered for so long from its claim on, and the answer with it. */
export const KEY_RETENTION_MS = 86_400_000;

/**
 * How long a caller is asked to wait while the first request with his key runs: official SDKs ask twice more, and most
 * answers take some seconds.
 */
export const IN_PROGRESS_RETRY_AFTER_MS = 2_000;

/** What came with an `Idempotency-Key`, as keyed hashes: neither can be read back, or guessed without our secret. */
export type KeyUse = Readonly<{ keyHash: string; bodyHash: string }>;

/** The interaction that ran last under a key. Each one that runs takes the key over from the one before. */
export type KeyHolder = Readonly<{
  requestId: RequestId;
  billableId: RequestId;
  bodyHash: string;
  claimedAtMs: number;
  state: InteractionState;
}>;

/** An interaction's claim on its key: it holds if the key is nobody's, or still that of `supersedes`. */
export type KeyClaim = KeyUse & Readonly<{ supersedes: RequestId | null }>;

/** What a request with a key may do. Only the first two may call a provider. */
export type KeyVerdict<Holder extends KeyHolder = KeyHolder> =
  | Readonly<{ kind: 'new' }>
  /** It runs again for the same billable interaction. */
  | Readonly<{ kind: 'continuation'; billableId: RequestId }>
  | Readonly<{ kind: 'in_progress' }>
  | Readonly<{ kind: 'replay'; holder: Holder }>
  | Readonly<{ kind: 'reused' }>;

/** What its holder's state makes of a key (DESIGN §7). `free`: as if it had never been used, so any body will do. */
const AFTER: Readonly<Record<InteractionState, 'in_progress' | 'replay' | 'free' | 'continuation'>> = {
  open: 'in_progress',
  served: 'replay',
  failed: 'free',
  refused: 'free',
  partial: 'continuation',
  cancelled: 'continuation',
  interrupted: 'continuation',
};

/** Judges a use of a key by who holds it; null: nobody does. */
export function judgeKey<Holder extends KeyHolder>(
  { bodyHash }: Pick<KeyUse, 'bodyHash'>,
  holder: Holder | null,
  nowMs: number,
): KeyVerdict<Holder> {
  if (holder === null || isForgotten(holder, nowMs)) return { kind: 'new' };
  const after = afterHolder(holder);
  if (after === 'free') return { kind: 'new' };
  if (holder.bodyHash !== bodyHash) return { kind: 'reused' };
  switch (after) {
    case 'in_progress':
      return { kind: after };
    case 'replay':
      return { kind: after, holder };
    case 'continuation':
      return { kind: after, billableId: holder.billableId };
  }
}

/** Whether a key is as good as never used. While its holder runs it never is: there must not be two. */
export function isForgotten(
  { state, claimedAtMs }: Pick<KeyHolder, 'state' | 'claimedAtMs'>,
  nowMs: number,
): boolean {
  return state !== 'open' && nowMs - claimedAtMs >= KEY_RETENTION_MS;
}

/** A continuation that failed leaves the key where it was: what it continued had begun an answer, and is on the bill. */
function afterHolder({ state, requestId, billableId }: KeyHolder): (typeof AFTER)[InteractionState] {
  const after = AFTER[state];
  return after === 'free' && billableId !== requestId ? 'continuation' : after;
}
