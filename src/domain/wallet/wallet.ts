import type { MicroUsd } from '../kernel/money';

/**
 * What a tenant has paid in, by where it is now. It is the sum of its movements; `available` alone decides what may be
 * reserved. Negative only where a provider charged more than the worst case, or an operator took money back.
 */
export type Wallet = Readonly<{
  availableMicroUsd: MicroUsd;
  /** Held for interactions that are open. */
  reservedMicroUsd: MicroUsd;
  /** What closed interactions cost. */
  spentMicroUsd: MicroUsd;
}>;

export const EMPTY_WALLET: Wallet = { availableMicroUsd: 0, reservedMicroUsd: 0, spentMicroUsd: 0 };

/** Credits less costs: what is left, whether or not it is held for something. */
export function balanceOf({ availableMicroUsd, reservedMicroUsd }: Wallet): MicroUsd {
  return availableMicroUsd + reservedMicroUsd;
}

/** All that was ever paid in, corrections subtracted. */
export function creditedTo(wallet: Wallet): MicroUsd {
  return balanceOf(wallet) + wallet.spentMicroUsd;
}
