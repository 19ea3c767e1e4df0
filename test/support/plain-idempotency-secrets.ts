import type { AnswerPlace, IdempotencySecrets } from '../../src/usecase/port/idempotency-secrets';
import type { SentAnswer } from '../../src/usecase/port/reply';

/** Hides nothing, and opens nothing in the wrong place. */
export class PlainIdempotencySecrets implements IdempotencySecrets {
  /** Another one stands for another sealing key. */
  name = 'secret';

  keyHash(tenant: string, key: string): string {
    return `key of ${tenant}: ${key}`;
  }

  bodyHash(keyHash: string, body: string): string {
    return `${keyHash} with ${body}`;
  }

  seal(answer: SentAnswer, place: AnswerPlace): string {
    return JSON.stringify({ answer, lock: this.lockOf(place) });
  }

  unseal(sealed: string, place: AnswerPlace): SentAnswer | null {
    const { answer, lock } = JSON.parse(sealed) as { answer: SentAnswer; lock: string };
    return lock === this.lockOf(place) ? answer : null;
  }

  private lockOf({ tenant, keyHash, requestId }: AnswerPlace): string {
    return [this.name, tenant, keyHash, requestId].join('|');
  }
}
