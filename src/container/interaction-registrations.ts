import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import { SqlInteractionStore } from '../infra/store/interaction-store';
import { ClosingSpool } from '../infra/store/spool/closing-spool';
import { SpoolFolder } from '../infra/store/spool/spool-folder';
import { SpoolReplayer } from '../infra/store/spool/spool-replayer';
import { SpoolingInteractionStore } from '../infra/store/spool/spooling-interaction-store';
import { MeteredAttempts } from '../infra/telemetry/metered-attempts';
import { MeteredInteractionStore } from '../infra/telemetry/metered-interaction-store';
import { Metrics } from '../infra/telemetry/metrics';
import { ObservedInteractionStore } from '../infra/telemetry/observed-interaction-store';
import { SpoolMeter } from '../infra/telemetry/spool-meter';
import { TallyAttempts } from '../usecase/health/tally-attempts';
import { singleton } from './singleton';
import { TOKEN } from './token';

/** In the data folder, whichever database is the store. */
const SPOOL_FOLDER = 'spool';

/** From the outside in: observed, counted, kept on disk while the store is away, written together. */
export function registerInteractions(container: DependencyContainer): void {
  singleton(container, SqlInteractionStore, (c) => new SqlInteractionStore(c.resolve(TOKEN.groupCommit)));
  singleton(
    container,
    SpoolMeter,
    (c) => new SpoolMeter(c.resolve(Metrics).registry, c.resolve(TOKEN.logger)),
  );
  singleton(
    container,
    SpoolFolder,
    (c) => new SpoolFolder(join(c.resolve(TOKEN.config).dataDir, SPOOL_FOLDER)),
  );
  singleton(container, ClosingSpool, (c) => new ClosingSpool(c.resolve(SpoolFolder), c.resolve(SpoolMeter)));
  singleton(
    container,
    SpoolReplayer,
    (c) =>
      new SpoolReplayer({
        spool: c.resolve(ClosingSpool),
        folder: c.resolve(SpoolFolder),
        store: c.resolve(SqlInteractionStore),
        auditLog: c.resolve(TOKEN.auditLog),
        incidents: c.resolve(TOKEN.incidents),
        observer: c.resolve(SpoolMeter),
      }),
  );
  singleton(container, SpoolingInteractionStore, (c) => {
    const store = c.resolve(SqlInteractionStore);
    return new SpoolingInteractionStore(store, c.resolve(ClosingSpool), c.resolve(TOKEN.incidents));
  });
  singleton(container, TOKEN.interactions, (c) => {
    const store = c.resolve(SpoolingInteractionStore);
    const metrics = c.resolve(Metrics);
    const logger = c.resolve(TOKEN.logger);
    const metered = new MeteredInteractionStore(store, metrics, logger);
    const observers = [new MeteredAttempts(metrics, logger), c.resolve(TallyAttempts)];
    return new ObservedInteractionStore(metered, observers);
  });
}
