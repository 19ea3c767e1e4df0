import type { Movement, MovementKind, WalletAccount } from '../../domain/wallet/movement';
import type { Wallet } from '../../domain/wallet/wallet';
import type { StoredEntry } from '../../usecase/port/wallet-store';

/** Makes a reservation one conditional update; the entries are the books, and their sums must say the same. */
export type WalletRow = Readonly<{
  tenant: string;
  opened_at: number;
  available_micro_usd: number;
  reserved_micro_usd: number;
  spent_micro_usd: number;
}>;

export type WalletEntryRow = Readonly<{
  movement: string;
  account: WalletAccount;
  tenant: string;
  at: number;
  kind: MovementKind;
  amount_micro_usd: number;
  request_id: string | null;
  reference: string | null;
  note: string | null;
}>;

export type WalletAmounts = Omit<WalletRow, 'tenant' | 'opened_at'>;

export function amountsOf(wallet: Wallet): WalletAmounts {
  return {
    available_micro_usd: wallet.availableMicroUsd,
    reserved_micro_usd: wallet.reservedMicroUsd,
    spent_micro_usd: wallet.spentMicroUsd,
  };
}

export function walletOf(row: WalletAmounts): Wallet {
  return {
    availableMicroUsd: row.available_micro_usd,
    reservedMicroUsd: row.reserved_micro_usd,
    spentMicroUsd: row.spent_micro_usd,
  };
}

export function entryRowsOf(movement: Movement): readonly WalletEntryRow[] {
  return movement.entries.map(({ account, amountMicroUsd }) => ({
    movement: movement.id,
    account,
    tenant: movement.tenant,
    at: movement.atMs,
    kind: movement.kind,
    amount_micro_usd: amountMicroUsd,
    request_id: movement.requestId,
    reference: movement.reference,
    note: movement.note,
  }));
}

export function entryOf(row: WalletEntryRow): StoredEntry {
  return {
    movement: row.movement,
    account: row.account,
    tenant: row.tenant,
    atMs: row.at,
    kind: row.kind,
    amountMicroUsd: row.amount_micro_usd,
    requestId: row.request_id,
    reference: row.reference,
    note: row.note,
  };
}
