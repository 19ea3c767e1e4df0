import type { RequestId } from '../kernel/ids';
import type { MicroUsd } from '../kernel/money';
import { creditedTo, type Wallet } from './wallet';

/** A wallet as its row, its entries and the records of its interactions have it at one moment. */
export type BooksSeen = Readonly<{
  wallet: Wallet;
  /** The sums of the entries. */
  entries: Wallet & Readonly<{ fundingMicroUsd: MicroUsd }>;
  /** A movement whose entries don't sum to zero; null: there is none. */
  unbalancedMovement: string | null;
  /** What the open interactions say that they hold, together. */
  heldByOpenMicroUsd: MicroUsd;
  /** What was settled for something else than the record of its interaction says it cost; null: there is none. */
  misSettled: RequestId | null;
  /** The reference of a credit of which no change in the audit chain tells, or another one; null: there is none. */
  unprovenCredit: string | null;
}>;

export const BOOK_ERRORS = [
  'balance_differs_from_entries',
  'entries_not_balanced',
  'reserved_differs_from_open_interactions',
  'settlement_differs_from_cost',
  'credit_differs_from_change',
] as const;
export type BookError = (typeof BOOK_ERRORS)[number];

/** What is wrong with the books of a wallet; empty: they agree to the last micro-USD. */
export function bookErrors(seen: BooksSeen): readonly BookError[] {
  const { wallet, entries } = seen;
  const wrong: Readonly<Record<BookError, boolean>> = {
    balance_differs_from_entries: !isSame(wallet, entries),
    entries_not_balanced:
      seen.unbalancedMovement !== null || creditedTo(entries) !== -entries.fundingMicroUsd,
    reserved_differs_from_open_interactions: wallet.reservedMicroUsd !== seen.heldByOpenMicroUsd,
    settlement_differs_from_cost: seen.misSettled !== null,
    credit_differs_from_change: seen.unprovenCredit !== null,
  };
  return BOOK_ERRORS.filter((error) => wrong[error]);
}

function isSame(one: Wallet, other: Wallet): boolean {
  return (
    one.availableMicroUsd === other.availableMicroUsd &&
    one.reservedMicroUsd === other.reservedMicroUsd &&
    one.spentMicroUsd === other.spentMicroUsd
  );
}
