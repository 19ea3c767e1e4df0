import type { DependencyContainer } from 'tsyringe';
import { DerivedIdempotencySecrets } from '../infra/runtime/derived-idempotency-secrets';
import { SqlIdempotencyKeys } from '../infra/store/idempotency-keys';
import { requestConnection } from '../infra/store/store-database';
import { MeteredKeyUses } from '../infra/telemetry/metered-key-uses';
import { Metrics } from '../infra/telemetry/metrics';
import { IdempotencyCheck } from '../usecase/chat/idempotency-check';
import { PurgeIdempotencyKeys } from '../usecase/interaction/purge-idempotency-keys';
import { singleton } from './singleton';
import { TOKEN } from './token';

/** What an idempotency key needs: who holds it, what can be read of it, and its end. */
export function registerIdempotency(container: DependencyContainer): void {
  singleton(
    container,
    TOKEN.idempotencyKeys,
    (c) => new SqlIdempotencyKeys(requestConnection(c.resolve(TOKEN.database))),
  );
  singleton(
    container,
    TOKEN.idempotencySecrets,
    (c) => new DerivedIdempotencySecrets(c.resolve(TOKEN.secretKey)),
  );
  singleton(
    container,
    IdempotencyCheck,
    (c) =>
      new IdempotencyCheck({
        keys: c.resolve(TOKEN.idempotencyKeys),
        secrets: c.resolve(TOKEN.idempotencySecrets),
        observer: new MeteredKeyUses(c.resolve(Metrics)),
        incidents: c.resolve(TOKEN.incidents),
        clock: c.resolve(TOKEN.clock),
      }),
  );
  singleton(
    container,
    PurgeIdempotencyKeys,
    (c) =>
      new PurgeIdempotencyKeys({
        keys: c.resolve(TOKEN.idempotencyKeys),
        clock: c.resolve(TOKEN.clock),
        sleeper: c.resolve(TOKEN.sleeper),
        shutdown: c.resolve(TOKEN.shutdown),
      }),
  );
}
