import { catalogStoreContract } from '../../contract/catalog-store-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('catalog store on %s', (_, openStores) => {
  catalogStoreContract(openStores);
});
