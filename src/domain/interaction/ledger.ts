import type { Attempt } from './attempt';

/** The attempts of one interaction, in order. */
export type Ledger = readonly Attempt[];

export const EMPTY_LEDGER: Ledger = [];

export function append(ledger: Ledger, attempt: Attempt): Ledger {
  return [...ledger, attempt];
}

export function lastAttempt(ledger: Ledger): Attempt | undefined {
  return ledger[ledger.length - 1];
}
