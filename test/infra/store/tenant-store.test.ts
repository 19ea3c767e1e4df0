import { tenantStoreContract } from '../../contract/tenant-store-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('tenant store on %s', (_, openStores) => {
  tenantStoreContract(openStores);
});
