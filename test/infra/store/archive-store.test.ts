import { archiveStoreContract } from '../../contract/archive-store-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('archive store', archiveStoreContract);
