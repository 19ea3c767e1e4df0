import { walletContract } from '../../contract/wallet-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('wallet store on %s', (_, openStores) => {
  walletContract(openStores);
});
