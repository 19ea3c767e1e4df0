import { interactionStoreContract } from '../../contract/interaction-store-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('interaction store', interactionStoreContract);
