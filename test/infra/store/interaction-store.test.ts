import { interactionStoreContract } from '../../contract/interaction-store-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('interaction store on %s', (_, openStores) => {
  interactionStoreContract(openStores);
});
