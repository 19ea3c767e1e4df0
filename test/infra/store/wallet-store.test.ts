import { walletContract } from '../../contract/wallet-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('wallet store', walletContract);
