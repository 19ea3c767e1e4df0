import { policyStoreContract } from '../../contract/policy-store-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('policy store', policyStoreContract);
