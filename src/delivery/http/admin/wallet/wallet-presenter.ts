import type { JsonObject } from '../../../../domain/kernel/json';
import type { Credit } from '../../../../domain/wallet/movement';
import { balanceOf, creditedTo, type Wallet } from '../../../../domain/wallet/wallet';
import type { StoredEntry, StoredWallet } from '../../../../usecase/port/wallet-store';
import type { VerifiedBooks } from '../../../../usecase/wallet/read-wallet';
import { rfc3339 } from '../instant';

export function presentWallet(tenant: string, wallet: StoredWallet): JsonObject {
  return {
    tenant,
    payment: wallet.payment,
    ...presentAmounts(wallet),
    opened_at: rfc3339(wallet.openedAtMs),
  };
}

export function presentCredit(credit: Credit): JsonObject {
  return {
    id: credit.id,
    tenant: credit.tenant,
    amount_micro_usd: credit.amountMicroUsd,
    reference: credit.reference,
    note: credit.note,
    at: rfc3339(credit.atMs),
  };
}

export function presentEntry(entry: StoredEntry): JsonObject {
  return {
    at: rfc3339(entry.atMs),
    movement: entry.movement,
    kind: entry.kind,
    account: entry.account,
    amount_micro_usd: entry.amountMicroUsd,
    request_id: entry.requestId,
    reference: entry.reference,
    note: entry.note,
  };
}

export function presentBooks({ seen, errors }: VerifiedBooks): JsonObject {
  return {
    consistent: errors.length === 0,
    errors: [...errors],
    wallet: presentAmounts(seen.wallet),
    entries: presentAmounts(seen.entries),
    held_by_open_interactions_micro_usd: seen.heldByOpenMicroUsd,
    unbalanced_movement: seen.unbalancedMovement,
    mis_settled_request_id: seen.misSettled,
    unproven_credit_reference: seen.unprovenCredit,
  };
}

function presentAmounts(wallet: Wallet): JsonObject {
  return {
    balance_micro_usd: balanceOf(wallet),
    available_micro_usd: wallet.availableMicroUsd,
    reserved_micro_usd: wallet.reservedMicroUsd,
    spent_micro_usd: wallet.spentMicroUsd,
    credited_micro_usd: creditedTo(wallet),
  };
}
