import { effectOf, reservationOf, settlementOf, type Movement } from '../../../domain/wallet/movement';
import { raiseOf } from '../../../domain/wallet/reservation';
import type { InsufficientBalance } from '../../../usecase/port/interaction-store';
import { insufficient, missingWallet, type Bill, type Need } from '../reserved-money';
import { amountsOf, entryRowsOf } from '../wallet-row';
import type { SqliteDatabase } from './sqlite-database';
import { walletStatements } from './wallet-statements';

/** Moves money within the transaction of the interaction's own record. */
export class SqliteWalletBooks {
  private readonly statements: ReturnType<typeof walletStatements>;

  constructor(database: SqliteDatabase) {
    this.statements = walletStatements(database);
  }

  /** Null: it is held now. */
  hold(need: Need): InsufficientBalance | null {
    const { owner, attempt } = need;
    const raiseMicroUsd = raiseOf(need.requiredMicroUsd, need.heldMicroUsd);
    if (raiseMicroUsd === 0) return null;
    const movement = reservationOf(owner, attempt, raiseMicroUsd);
    const effect = amountsOf(effectOf(movement));
    if (this.statements.addIfAvailable.run(effect, owner.tenant, raiseMicroUsd) === 0) {
      return insufficient(need, this.statements.available.get(owner.tenant)?.available_micro_usd ?? 0);
    }
    this.enter(movement);
    return null;
  }

  settle(bill: Bill): void {
    const { owner, heldMicroUsd, costMicroUsd } = bill;
    const movement = settlementOf(owner, heldMicroUsd, costMicroUsd);
    const changed = this.statements.add.run(amountsOf(effectOf(movement)), owner.tenant);
    if (changed === 0) throw missingWallet(bill);
    this.enter(movement);
  }

  private enter(movement: Movement): void {
    for (const row of entryRowsOf(movement)) this.statements.insertEntry.run(row);
  }
}
