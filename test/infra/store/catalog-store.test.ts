import { catalogStoreContract } from '../../contract/catalog-store-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('catalog store', catalogStoreContract);
