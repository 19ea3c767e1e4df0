import type { KeyVerdict } from '../../domain/interaction/idempotency';

/** What became of a request with an `Idempotency-Key`. `unavailable`: it was served, and its answer can't be repeated. */
export type KeyUseOutcome = KeyVerdict['kind'] | 'unavailable';

/** Counts requests with an `Idempotency-Key`: most of those that end there open no interaction that could be counted. */
export interface KeyUseObserver {
  observe(outcome: KeyUseOutcome): void;
}
