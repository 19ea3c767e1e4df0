import { idempotencyKeysContract } from '../../contract/idempotency-keys-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('an idempotency key', idempotencyKeysContract);
