import { providerMinutesContract } from '../../contract/provider-minutes-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('provider minutes', providerMinutesContract);
