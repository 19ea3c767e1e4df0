import type { GatewayError } from '../../domain/error/gateway-error';
import type { ApiKeyId } from '../../domain/kernel/ids';
import { keyCounter } from '../../domain/rate/rate-counter';
import type { RequestRates } from '../port/request-rates';

/** What a limited key has left of its minute, as its caller is told. */
export type KeyRate = Readonly<{ limit: number; remaining: number; resetMs: number }>;

export type KeyAdmission = Readonly<{
  rate: KeyRate;
  /** Null: the request is admitted, and counted. */
  refused: GatewayError | null;
}>;

/** Holds a key to its requests per minute. It comes before everything that costs: a refused request leaves no trace. */
export class AdmitKey {
  constructor(private readonly rates: RequestRates) {}

  async execute(key: ApiKeyId, limit: number): Promise<KeyAdmission> {
    const { admitted, remaining, resetMs } = await this.rates.take(keyCounter(key, limit));
    const refused: GatewayError = {
      code: 'rate_limit_exceeded',
      retryAfterMs: Math.max(1, resetMs),
      keyLimit: limit,
      refusals: [],
    };
    return { rate: { limit, remaining, resetMs }, refused: admitted ? null : refused };
  }
}
