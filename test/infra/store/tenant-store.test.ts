import { tenantStoreContract } from '../../contract/tenant-store-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('tenant store', tenantStoreContract);
