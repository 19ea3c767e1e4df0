import type { MicroUsd } from '../../../domain/kernel/money';
import {
  moved,
  reservationOf,
  settlementOf,
  type Movement,
  type Owner,
} from '../../../domain/wallet/movement';
import { raiseOf } from '../../../domain/wallet/reservation';
import type { Wallet } from '../../../domain/wallet/wallet';
import type { InsufficientBalance } from '../../../usecase/port/interaction-store';
import { amountsOf, entryRowsOf, walletOf, type WalletRow } from '../wallet-row';
import type { BatchRows } from './batch-rows';

/** What an interaction needs to be held before an attempt, and what it holds so far. */
export type Need = Readonly<{ attempt: number; requiredMicroUsd: MicroUsd; heldMicroUsd: MicroUsd }>;

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
  hold(owner: Owner, { attempt, requiredMicroUsd, heldMicroUsd }: Need): InsufficientBalance | null {
    const raiseMicroUsd = raiseOf(requiredMicroUsd, heldMicroUsd);
    if (raiseMicroUsd === 0) return null;
    const wallet = this.wallets.get(owner.tenant);
    const availableMicroUsd = wallet?.availableMicroUsd ?? 0;
    if (wallet === undefined || availableMicroUsd < raiseMicroUsd) {
      return {
        kind: 'insufficient_balance',
        requiredMicroUsd,
        availableMicroUsd: availableMicroUsd + heldMicroUsd,
      };
    }
    this.enter(wallet, reservationOf(owner, attempt, raiseMicroUsd));
    return null;
  }

  settle(owner: Owner, heldMicroUsd: MicroUsd, costMicroUsd: MicroUsd): void {
    const wallet = this.wallets.get(owner.tenant);
    if (wallet === undefined) {
      throw new Error(`${owner.requestId} holds money of a wallet that isn't there`);
    }
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
