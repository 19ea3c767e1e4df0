/** No model's window is larger, so no attempt can have read or written more: ten million tokens. */
export const MAX_TOKENS = 10_000_000;

/** A number of tokens as a provider reports it; null: none, or an impossible one, which must not be billed (DESIGN §7). */
export function tokenCount(reported: unknown): number | null {
  const possible = typeof reported === 'number' && Number.isInteger(reported) && reported >= 0;
  return possible && reported <= MAX_TOKENS ? reported : null;
}
