import { moved, reservationOf, settlementOf, type Movement } from '../../../domain/wallet/movement';
import { raiseOf } from '../../../domain/wallet/reservation';
import type { Wallet } from '../../../domain/wallet/wallet';
import type { InsufficientBalance } from '../../../usecase/port/interaction-store';
import { insufficient, missingWallet, type Bill, type Need } from '../reserved-money';
import { amountsOf, entryRowsOf, walletOf, type WalletRow } from '../wallet-row';
import type { BatchRows } from './batch-rows';

/** The wallets that a batch has locked, as its writes change them one after the other. */
export class BatchWallets {
  private readonly wallets: Map<string, Wallet>;
  private readonly changed = new Set<string>();

  constructor(
    stored: readonly WalletRow[],
    private readonly rows: BatchRows,
  ) {
    this.wallets = new Map(stored.map((row) => [row.tenant, walletOf(row)]));
  }

  /** Null: it is held now. */
  hold(need: Need): InsufficientBalance | null {
    const { owner, attempt } = need;
    const raiseMicroUsd = raiseOf(need.requiredMicroUsd, need.heldMicroUsd);
    if (raiseMicroUsd === 0) return null;
    const wallet = this.wallets.get(owner.tenant);
    if (wallet === undefined) return insufficient(need, 0);
    if (wallet.availableMicroUsd < raiseMicroUsd) return insufficient(need, wallet.availableMicroUsd);
    this.enter(wallet, reservationOf(owner, attempt, raiseMicroUsd));
    return null;
  }

  settle(bill: Bill): void {
    const { owner, heldMicroUsd, costMicroUsd } = bill;
    const wallet = this.wallets.get(owner.tenant);
    if (wallet === undefined) throw missingWallet(bill);
    this.enter(wallet, settlementOf(owner, heldMicroUsd, costMicroUsd));
  }

  /** One row for each wallet, however many movements changed it. */
  collect(): void {
    for (const tenant of this.changed) {
      const wallet = this.wallets.get(tenant);
      if (wallet !== undefined) this.rows.add('wallets', { tenant, ...amountsOf(wallet) });
    }
  }

  private enter(wallet: Wallet, movement: Movement): void {
    this.wallets.set(movement.tenant, moved(wallet, movement));
    this.changed.add(movement.tenant);
    this.rows.add('entries', ...entryRowsOf(movement));
  }
}
