import type { DependencyContainer } from 'tsyringe';
import type { WalletUseCases } from '../delivery/http/admin/wallet/wallet-routes';
import { CreditWallet } from '../usecase/wallet/credit-wallet';
import { ReadWallet } from '../usecase/wallet/read-wallet';
import { SwitchWallet } from '../usecase/wallet/switch-wallet';
import { TOKEN } from './token';

export function walletUseCases(c: DependencyContainer): WalletUseCases {
  const wallets = c.resolve(TOKEN.wallets);
  return {
    readWallet: new ReadWallet(wallets),
    switchWallet: new SwitchWallet(wallets),
    creditWallet: new CreditWallet({ wallets, ids: c.resolve(TOKEN.ids), clock: c.resolve(TOKEN.clock) }),
  };
}
