/** Why the primary did not answer (DESIGN §8). */
export const FALLBACK_REASONS = [
  'primary_provider_5xx',
  'primary_provider_429',
  'primary_provider_timeout',
  'primary_provider_network',
  'primary_provider_credential',
  'primary_provider_malformed',
  'primary_stream_error',
  'primary_circuit_open',
  'primary_throttled',
] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];
