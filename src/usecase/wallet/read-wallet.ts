import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import { bookErrors, type BookError, type BooksSeen } from '../../domain/wallet/books';
import type { EntryPage, EntryPageRequest, StoredWallet, WalletStore } from '../port/wallet-store';
import { noWallet } from './no-wallet';

export type VerifiedBooks = Readonly<{ seen: BooksSeen; errors: readonly BookError[] }>;

/** A tenant's wallet, its books, and whether they agree with each other and with the audit records. */
export class ReadWallet {
  constructor(private readonly wallets: Pick<WalletStore, 'find' | 'entries' | 'inspect'>) {}

  async one(tenant: TenantId): Promise<Result<StoredWallet, GatewayError>> {
    const wallet = await this.wallets.find(tenant);
    return wallet === undefined ? err(noWallet(tenant)) : ok(wallet);
  }

  /** Empty for a tenant that never had a wallet. */
  entries(tenant: TenantId, page: EntryPageRequest): Promise<EntryPage> {
    return this.wallets.entries(tenant, page);
  }

  async verify(tenant: TenantId): Promise<Result<VerifiedBooks, GatewayError>> {
    const seen = await this.wallets.inspect(tenant);
    return seen === undefined ? err(noWallet(tenant)) : ok({ seen, errors: bookErrors(seen) });
  }
}
