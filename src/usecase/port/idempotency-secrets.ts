import type { RequestId, TenantId } from '../../domain/kernel/ids';
import type { SentAnswer } from './reply';

/** What can only be hashed, written and read with the gateway's secret key. */
export interface IdempotencySecrets {
  /** The same for the same tenant and key only. */
  keyHash(tenant: TenantId, key: string): string;
  /** The same for the same text under the same key only. */
  bodyHash(keyHash: string, body: string): string;
  seal(answer: SentAnswer, place: AnswerPlace): SealedAnswer;
  /** Null: it was sealed for another place or with another secret key, or it has been changed. */
  unseal(sealed: SealedAnswer, place: AnswerPlace): SentAnswer | null;
}

/** An encrypted answer, as text. */
export type SealedAnswer = string;

/** Whose answer it is. It can be read nowhere else, so that rows can't be swapped. */
export type AnswerPlace = Readonly<{ tenant: TenantId; keyHash: string; requestId: RequestId }>;
