import { policyStoreContract } from '../../contract/policy-store-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('policy store on %s', (_, openStores) => {
  policyStoreContract(openStores);
});
