import type { TenantId } from '../../domain/kernel/ids';
import type { Credit, Entry, Movement } from '../../domain/wallet/movement';
import type { Wallet } from '../../domain/wallet/wallet';
import type { BooksSeen } from '../../domain/wallet/books';

/**
 * The wallets of tenants, beside what running interactions hold of them (`InteractionStore`). Rejects with
 * `StoreUnavailable` when the store can't be read or written.
 */
export interface WalletStore {
  /** Undefined: the tenant never had one. */
  find(tenant: TenantId): Promise<StoredWallet | undefined>;
  /**
   * Says whether the tenant's requests are paid from its wallet from now on, and opens it if there is none. Durable, and
   * visible in `Configuration`, when it resolves. The tenant must exist. What is held or was booked stays.
   */
  switchTo(tenant: TenantId, payment: Payment): Promise<void>;
  /** Books a credit once: a reference that was used before gives what was booked then. It is chained as an admin change. */
  credit(credit: Credit): Promise<CreditOutcome>;
  /** The books, newest first: a page by cursor, stable while entries are added. */
  entries(tenant: TenantId, page: EntryPageRequest): Promise<EntryPage>;
  /** What the books and the records say about a wallet at one moment; undefined: the tenant never had one. */
  inspect(tenant: TenantId): Promise<BooksSeen | undefined>;
}

/** `wallet`: requests are paid from the wallet and limited by it. `none`: they are neither. */
export type Payment = 'wallet' | 'none';

export type StoredWallet = Wallet & Readonly<{ openedAtMs: number; payment: Payment }>;

export type CreditOutcome =
  | Readonly<{ kind: 'booked' }>
  | Readonly<{ kind: 'known'; credit: Credit }>
  | Readonly<{ kind: 'no_wallet' }>;

export type StoredEntry = Omit<Movement, 'id' | 'entries'> & Entry & Readonly<{ movement: string }>;

export type EntryPosition = Pick<StoredEntry, 'atMs' | 'movement' | 'account'>;

export type EntryPageRequest = Readonly<{
  /** The last entry of the page before; null: the first page. */
  after: EntryPosition | null;
  /** 1 to 200. */
  limit: number;
}>;

export type EntryPage = Readonly<{ entries: readonly StoredEntry[]; next: EntryPosition | null }>;
