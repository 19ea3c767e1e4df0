import { createHmac } from 'node:crypto';
import type { TenantId } from '../../domain/kernel/ids';
import type { AnswerPlace, IdempotencySecrets, SealedAnswer } from '../../usecase/port/idempotency-secrets';
import type { SentAnswer } from '../../usecase/port/reply';
import { deriveKey } from '../config/secret-key';
import { PlaceBoundCipher } from './place-bound-cipher';

/** HMAC-SHA-256 and AES-256-GCM, each under a key of its own that is derived from the gateway's secret key. */
export class DerivedIdempotencySecrets implements IdempotencySecrets {
  private readonly hashing: Buffer;
  private readonly cipher: PlaceBoundCipher;

  constructor(secretKey: Buffer) {
    this.hashing = Buffer.from(deriveKey(secretKey, 'idempotency hash'), 'hex');
    this.cipher = new PlaceBoundCipher(Buffer.from(deriveKey(secretKey, 'idempotency answer'), 'hex'));
  }

  keyHash(tenant: TenantId, key: string): string {
    return this.hash(['key', tenant, key]);
  }

  bodyHash(keyHash: string, body: string): string {
    return this.hash(['body', keyHash, body]);
  }

  seal(answer: SentAnswer, place: AnswerPlace): SealedAnswer {
    return this.cipher.seal(JSON.stringify(answer), partsOf(place));
  }

  unseal(sealed: SealedAnswer, place: AnswerPlace): SentAnswer | null {
    const text = this.cipher.unseal(sealed, partsOf(place));
    return text === null ? null : (JSON.parse(text) as SentAnswer);
  }

  /** Not joined by a separator: no part may end where another begins. */
  private hash(parts: readonly string[]): string {
    return createHmac('sha256', this.hashing).update(JSON.stringify(parts)).digest('hex');
  }
}

function partsOf({ tenant, keyHash, requestId }: AnswerPlace): readonly string[] {
  return [tenant, keyHash, requestId];
}
