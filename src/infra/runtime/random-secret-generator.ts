import { hash, randomBytes } from 'node:crypto';
import type { SecretGenerator } from '../../usecase/port/secret-generator';

const SECRET_BYTES = 24;

/**
 * Secrets of 192 random bits. A plain hash is enough for them: what can't be guessed needs no slow hash, and the lookup
 * by hash takes the same time whatever was presented.
 */
export class RandomSecretGenerator implements SecretGenerator {
  newSecret(): string {
    return `sk-schnee-${randomBytes(SECRET_BYTES).toString('base64url')}`;
  }

  hash(secret: string): string {
    return hash('sha256', secret);
  }
}
