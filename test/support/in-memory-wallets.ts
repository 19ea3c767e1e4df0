import type { TenantId } from '../../src/domain/kernel/ids';
import { creditOf, moved, type Credit, type Movement } from '../../src/domain/wallet/movement';
import { EMPTY_WALLET, type Wallet } from '../../src/domain/wallet/wallet';
import type {
  CreditOutcome,
  EntryPage,
  EntryPageRequest,
  Payment,
  StoredEntry,
  StoredWallet,
  WalletStore,
} from '../../src/usecase/port/wallet-store';

/** Wallets as their movements, which nothing but credits moves here. */
export class InMemoryWallets implements WalletStore {
  /** Adds to what the books say, to show that a difference is noticed. */
  stray: Wallet = EMPTY_WALLET;
  private readonly payments = new Map<TenantId, Payment>();
  private readonly credits: Credit[] = [];

  find(tenant: TenantId): Promise<StoredWallet | undefined> {
    const payment = this.payments.get(tenant);
    if (payment === undefined) return Promise.resolve(undefined);
    return Promise.resolve({ ...this.walletOf(tenant), openedAtMs: 0, payment });
  }

  switchTo(tenant: TenantId, payment: Payment): Promise<void> {
    this.payments.set(tenant, payment);
    return Promise.resolve();
  }

  credit(credit: Credit): Promise<CreditOutcome> {
    if (!this.payments.has(credit.tenant)) return Promise.resolve({ kind: 'no_wallet' });
    const known = this.credits.find(
      ({ tenant, reference }) => tenant === credit.tenant && reference === credit.reference,
    );
    if (known !== undefined) return Promise.resolve({ kind: 'known', credit: known });
    this.credits.push(credit);
    return Promise.resolve({ kind: 'booked' });
  }

  entries(tenant: TenantId, { after, limit }: EntryPageRequest): Promise<EntryPage> {
    const all = this.movementsOf(tenant).flatMap(entriesOf).reverse();
    const start = after === null ? 0 : all.findIndex((entry) => isAt(entry, after)) + 1;
    const entries = all.slice(start, start + limit);
    return Promise.resolve({ entries, next: start + limit < all.length ? (entries.at(-1) ?? null) : null });
  }

  inspect(tenant: TenantId) {
    if (!this.payments.has(tenant)) return Promise.resolve(undefined);
    const entries = this.movementsOf(tenant).reduce(moved, EMPTY_WALLET);
    const fundingMicroUsd = -entries.availableMicroUsd;
    return Promise.resolve({
      wallet: this.walletOf(tenant),
      entries: { ...entries, fundingMicroUsd },
      unbalancedMovement: null,
      heldByOpenMicroUsd: 0,
      misSettled: null,
      unprovenCredit: null,
    });
  }

  private walletOf(tenant: TenantId): Wallet {
    return this.movementsOf(tenant).reduce(moved, this.stray);
  }

  private movementsOf(tenant: TenantId): readonly Movement[] {
    return this.credits.filter((credit) => credit.tenant === tenant).map(creditOf);
  }
}

function entriesOf({ id: movement, entries, ...rest }: Movement): readonly StoredEntry[] {
  return entries.map((entry) => ({ ...rest, ...entry, movement }));
}

function isAt(entry: StoredEntry, position: NonNullable<EntryPageRequest['after']>): boolean {
  return entry.movement === position.movement && entry.account === position.account;
}
