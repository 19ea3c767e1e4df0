import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { TenantId } from '../../domain/kernel/ids';
import type { AnswerPlace, IdempotencySecrets, SealedAnswer } from '../../usecase/port/idempotency-secrets';
import type { SentAnswer } from '../../usecase/port/reply';
import { deriveKey } from '../config/secret-key';

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D §8.2: 96 random bits are safe for 2^32 answers under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** HMAC-SHA-256 and AES-256-GCM, each under a key of its own that is derived from the gateway's secret key. */
export class DerivedIdempotencySecrets implements IdempotencySecrets {
  private readonly hashing: Buffer;
  private readonly sealing: Buffer;

  constructor(secretKey: Buffer) {
    this.hashing = Buffer.from(deriveKey(secretKey, 'idempotency hash'), 'hex');
    this.sealing = Buffer.from(deriveKey(secretKey, 'idempotency answer'), 'hex');
  }

  keyHash(tenant: TenantId, key: string): string {
    return this.hash(['key', tenant, key]);
  }

  bodyHash(keyHash: string, body: string): string {
    return this.hash(['body', keyHash, body]);
  }

  seal(answer: SentAnswer, place: AnswerPlace): SealedAnswer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.sealing, nonce).setAAD(bytesOf(place));
    const sealed = [cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64');
  }

  unseal(sealed: SealedAnswer, place: AnswerPlace): SentAnswer | null {
    const bytes = Buffer.from(sealed, 'base64');
    const text = this.decrypt(bytes, place);
    return text === null ? null : (JSON.parse(text) as SentAnswer);
  }

  private decrypt(bytes: Buffer, place: AnswerPlace): string | null {
    const from = NONCE_BYTES + TAG_BYTES;
    if (bytes.length < from) return null;
    const decipher = createDecipheriv(CIPHER, this.sealing, bytes.subarray(0, NONCE_BYTES))
      .setAAD(bytesOf(place))
      .setAuthTag(bytes.subarray(NONCE_BYTES, from));
    const plain = decipher.update(bytes.subarray(from));
    try {
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      // What doesn't authenticate has no meaning that could be guessed.
      return null;
    }
  }

  /** Not joined by a separator: no part may end where another begins. */
  private hash(parts: readonly string[]): string {
    return createHmac('sha256', this.hashing).update(JSON.stringify(parts)).digest('hex');
  }
}

function bytesOf({ tenant, keyHash, requestId }: AnswerPlace): Buffer {
  return Buffer.from(JSON.stringify([tenant, keyHash, requestId]));
}
