import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { Payment, StoredWallet, WalletStore } from '../port/wallet-store';
import { noWallet } from './no-wallet';

/** Says whether a tenant pays from its wallet. The first time opens it, empty. */
export class SwitchWallet {
  constructor(private readonly wallets: Pick<WalletStore, 'find' | 'switchTo'>) {}

  async execute(tenant: TenantId, payment: Payment): Promise<Result<StoredWallet, GatewayError>> {
    const before = await this.wallets.find(tenant);
    if (before?.payment === payment) return ok(before);
    // There is nothing to switch off, so nothing is opened for it.
    if (before === undefined && payment === 'none') return err(noWallet(tenant));
    await this.wallets.switchTo(tenant, payment);
    const after = await this.wallets.find(tenant);
    return after === undefined ? err(noWallet(tenant)) : ok(after);
  }
}
