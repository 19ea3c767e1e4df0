import type { MicroUsd } from '../../../domain/kernel/money';
import {
  effectOf,
  reservationOf,
  settlementOf,
  type Movement,
  type Owner,
} from '../../../domain/wallet/movement';
import { raiseOf } from '../../../domain/wallet/reservation';
import type { InsufficientBalance } from '../../../usecase/port/interaction-store';
import { amountsOf, entryRowsOf } from '../wallet-row';
import type { SqliteDatabase } from './sqlite-database';
import { walletStatements } from './wallet-statements';

/** What an interaction needs to be held before an attempt, and what it holds so far. */
export type Need = Readonly<{ attempt: number; requiredMicroUsd: MicroUsd; heldMicroUsd: MicroUsd }>;

/** Moves money within the transaction of the interaction's own record. */
export class SqliteWalletBooks {
  private readonly statements: ReturnType<typeof walletStatements>;

  constructor(database: SqliteDatabase) {
    this.statements = walletStatements(database);
  }

  /** Null: it is held now. */
  hold(owner: Owner, { attempt, requiredMicroUsd, heldMicroUsd }: Need): InsufficientBalance | null {
    const raiseMicroUsd = raiseOf(requiredMicroUsd, heldMicroUsd);
    if (raiseMicroUsd === 0) return null;
    const movement = reservationOf(owner, attempt, raiseMicroUsd);
    const changed = this.statements.addIfAvailable.run(
      amountsOf(effectOf(movement)),
      owner.tenant,
      raiseMicroUsd,
    );
    if (changed > 0) {
      this.enter(movement);
      return null;
    }
    const available = this.statements.available.get(owner.tenant)?.available_micro_usd ?? 0;
    return {
      kind: 'insufficient_balance',
      requiredMicroUsd,
      availableMicroUsd: available + heldMicroUsd,
    };
  }

  settle(owner: Owner, heldMicroUsd: MicroUsd, costMicroUsd: MicroUsd): void {
    const movement = settlementOf(owner, heldMicroUsd, costMicroUsd);
    const changed = this.statements.add.run(amountsOf(effectOf(movement)), owner.tenant);
    if (changed === 0) throw new Error(`${owner.requestId} holds money of a wallet that isn't there`);
    this.enter(movement);
  }

  private enter(movement: Movement): void {
    for (const row of entryRowsOf(movement)) this.statements.insertEntry.run(row);
  }
}
