import { createHash } from 'node:crypto';
import type { SecretGenerator } from '../../src/usecase/port/secret-generator';

/** Secrets that a test can foresee: `sk-test-0001`, `sk-test-0002`… */
export class NumberedSecrets implements SecretGenerator {
  private last = 0;

  newSecret(): string {
    this.last += 1;
    return `sk-test-${String(this.last).padStart(4, '0')}`;
  }

  hash(secret: string): string {
    return createHash('sha256').update(secret).digest('hex');
  }
}
