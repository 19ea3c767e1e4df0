import { canonicalBody } from '../../domain/chat/canonical-body';
import type { GatewayError } from '../../domain/error/gateway-error';
import { IN_PROGRESS_RETRY_AFTER_MS, judgeKey, type KeyClaim } from '../../domain/interaction/idempotency';
import type { RequestId } from '../../domain/kernel/ids';
import type { Clock } from '../port/clock';
import type { IdempotencyKeys, KeptHolder } from '../port/idempotency-keys';
import type { IdempotencySecrets, SealedAnswer } from '../port/idempotency-secrets';
import type { IncidentLog } from '../port/incident-log';
import type { KeyUseObserver } from '../port/key-use-observer';
import type { SentAnswer } from '../port/reply';
import { StoreUnavailable } from '../port/store-unavailable';
import type { AdmittedChat } from './admitted-chat';

/** What an interaction runs under: its claim, and the interaction that is billed for it. */
export type KeyInUse = Readonly<{ claim: KeyClaim; billableId: RequestId }>;

/** Whether a request with an `Idempotency-Key` runs, or what its caller gets instead. */
export type CheckedKey =
  | Readonly<{ kind: 'runs'; key: KeyInUse }>
  | Readonly<{ kind: 'replayed'; answer: SentAnswer; requestId: RequestId }>
  | Readonly<{ kind: 'refused'; error: GatewayError }>;

export type IdempotencyCheckDeps = Readonly<{
  keys: IdempotencyKeys;
  secrets: IdempotencySecrets;
  observer: KeyUseObserver;
  incidents: IncidentLog;
  clock: Clock;
}>;

type Use = Readonly<{ chat: AdmittedChat; keyHash: string; bodyHash: string }>;

/**
 * Looks at an `Idempotency-Key` before anything is planned, held or recorded: a repeated answer needs no route. What may
 * run here can still lose the key to another request at the same instant, which its opening row decides.
 */
export class IdempotencyCheck {
  constructor(private readonly deps: IdempotencyCheckDeps) {}

  async check(chat: AdmittedChat, key: string): Promise<CheckedKey> {
    const { secrets, keys } = this.deps;
    const keyHash = secrets.keyHash(chat.tenant.id, key);
    const bodyHash = secrets.bodyHash(keyHash, canonicalBody(chat.request.body));
    try {
      return this.judge({ chat, keyHash, bodyHash }, await keys.holderOf(chat.tenant.id, keyHash));
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      return refused({ code: 'audit_unavailable' });
    }
  }

  /** The answer as it is stored. */
  seal(answer: SentAnswer, chat: AdmittedChat, { claim }: KeyInUse): SealedAnswer {
    const place = { tenant: chat.tenant.id, keyHash: claim.keyHash, requestId: chat.requestId };
    return this.deps.secrets.seal(answer, place);
  }

  private judge(use: Use, holder: KeptHolder | null): CheckedKey {
    const verdict = judgeKey(use, holder, this.deps.clock.nowMs());
    if (verdict.kind === 'replay') return this.repeat(use, verdict.holder);
    this.deps.observer.observe(verdict.kind);
    switch (verdict.kind) {
      case 'new':
        return runs(use, holder, use.chat.requestId);
      case 'continuation':
        return runs(use, holder, verdict.billableId);
      case 'in_progress':
        return refused({ code: 'idempotency_in_progress', retryAfterMs: IN_PROGRESS_RETRY_AFTER_MS });
      case 'reused':
        return refused({ code: 'idempotency_key_reused' });
    }
  }

  /** An answer that is gone is never asked for again unasked: the caller may have acted on it, and has paid for it. */
  private repeat({ chat, keyHash }: Use, { requestId, answer: sealed }: KeptHolder): CheckedKey {
    const { observer, incidents, secrets } = this.deps;
    const tenant = chat.tenant.id;
    const answer = sealed === null ? null : secrets.unseal(sealed, { tenant, keyHash, requestId });
    observer.observe(answer === null ? 'unavailable' : 'replay');
    if (answer !== null) return { kind: 'replayed', answer, requestId };
    if (sealed !== null) incidents.answerUnreadable({ tenant, requestId });
    const reason = sealed === null ? 'too_large' : 'unreadable';
    return refused({ code: 'idempotency_answer_unavailable', requestId, reason });
  }
}

function runs({ keyHash, bodyHash }: Use, holder: KeptHolder | null, billableId: RequestId): CheckedKey {
  return {
    kind: 'runs',
    key: { claim: { keyHash, bodyHash, supersedes: holder?.requestId ?? null }, billableId },
  };
}

function refused(error: GatewayError): CheckedKey {
  return { kind: 'refused', error };
}
