import type { Signal } from '../../../domain/resilience/signal';
import { readErrorSignal } from './error-body';
import type { SecretRedactor } from './redact-secrets';
import { signalOfThrown } from './thrown-signal';
import type { UpstreamExchange } from './upstream-exchange';

/** Makes the call and tells how it failed; null: it was answered. Of a list only the headers are waited for. */
export async function signalOfList(
  exchange: UpstreamExchange,
  redactor: SecretRedactor,
  call: () => Promise<unknown>,
): Promise<Signal | null> {
  try {
    await call();
  } catch (error) {
    return signalOfThrown(error, exchange);
  }
  const { head } = exchange;
  if (head === null) throw new Error('the transport resolved without headers');
  if (head.status >= 400) return readErrorSignal(exchange, head, redactor);
  // A list can be long, and nobody reads it.
  exchange.cut();
  return head.status >= 300 ? { kind: 'malformed', what: 'unexpected_status' } : null;
}
