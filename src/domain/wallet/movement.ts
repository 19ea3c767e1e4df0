import type { RequestId, TenantId } from '../kernel/ids';
import type { MicroUsd } from '../kernel/money';
import type { Wallet } from './wallet';

/** Where the money of a tenant can be. `funding` is outside: what came from there has been paid in. */
export const WALLET_ACCOUNTS = ['funding', 'available', 'reserved', 'spent'] as const;
export type WalletAccount = (typeof WALLET_ACCOUNTS)[number];

export type Entry = Readonly<{ account: WalletAccount; amountMicroUsd: MicroUsd }>;

export const MOVEMENT_KINDS = ['credit', 'reservation', 'settlement'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Money that goes from one account to another: its entries always sum to zero (double entry). */
export type Movement = Readonly<{
  /** The same movement has the same id, so a store can't book it twice. */
  id: string;
  tenant: TenantId;
  atMs: number;
  kind: MovementKind;
  /** The interaction that it was made for; null: it is a credit. */
  requestId: RequestId | null;
  /** The payer's own name for a credit, which makes it unique; null: it is no credit. */
  reference: string | null;
  /** Why an operator booked it; null: nobody had to say. */
  note: string | null;
  entries: readonly Entry[];
}>;

/** Whose interaction it is, and when something happened to it. */
export type Owner = Readonly<{ tenant: TenantId; requestId: RequestId; atMs: number }>;

/** Holds an amount before an attempt, or more of it; `attempt` is the number of the attempt that needs it. */
export function reservationOf(owner: Owner, attempt: number, amountMicroUsd: MicroUsd): Movement {
  const entries = entriesOf({ available: -amountMicroUsd, reserved: amountMicroUsd });
  return {
    ...ofInteraction(owner),
    id: `${owner.requestId}/reservation/${attempt}`,
    kind: 'reservation',
    entries,
  };
}

/** Replaces what was held by what it cost, which can be more: the provider has charged it, so it is booked as it is. */
export function settlementOf(owner: Owner, reservedMicroUsd: MicroUsd, costMicroUsd: MicroUsd): Movement {
  const entries = entriesOf({
    available: reservedMicroUsd - costMicroUsd,
    reserved: -reservedMicroUsd,
    spent: costMicroUsd,
  });
  return { ...ofInteraction(owner), id: `${owner.requestId}/settlement`, kind: 'settlement', entries };
}

export type Credit = Readonly<{
  id: string;
  tenant: TenantId;
  atMs: number;
  /** Not zero; negative: a correction. */
  amountMicroUsd: MicroUsd;
  reference: string;
  note: string | null;
}>;

/** Money that a tenant paid, or a correction of it. */
export function creditOf({ amountMicroUsd, ...credit }: Credit): Movement {
  const entries = entriesOf({ funding: -amountMicroUsd, available: amountMicroUsd });
  return { ...credit, kind: 'credit', requestId: null, entries };
}

/** What a movement adds to each part of the wallet. */
export function effectOf({ entries }: Movement): Wallet {
  const added = (account: WalletAccount): MicroUsd =>
    entries.reduce((sum, entry) => (entry.account === account ? sum + entry.amountMicroUsd : sum), 0);
  return {
    availableMicroUsd: added('available'),
    reservedMicroUsd: added('reserved'),
    spentMicroUsd: added('spent'),
  };
}

export function moved(wallet: Wallet, movement: Movement): Wallet {
  const effect = effectOf(movement);
  return {
    availableMicroUsd: wallet.availableMicroUsd + effect.availableMicroUsd,
    reservedMicroUsd: wallet.reservedMicroUsd + effect.reservedMicroUsd,
    spentMicroUsd: wallet.spentMicroUsd + effect.spentMicroUsd,
  };
}

function ofInteraction({ tenant, requestId, atMs }: Owner) {
  return { tenant, requestId, atMs, reference: null, note: null };
}

/** An account to which nothing happens has no entry. */
function entriesOf(amounts: Partial<Record<WalletAccount, MicroUsd>>): readonly Entry[] {
  return WALLET_ACCOUNTS.map((account) => ({ account, amountMicroUsd: amounts[account] ?? 0 })).filter(
    ({ amountMicroUsd }) => amountMicroUsd !== 0,
  );
}
