import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import type { OfferingId } from '../../domain/kernel/ids';
import type { Clock } from '../../usecase/port/clock';
import type { RouteHealthStore } from '../../usecase/port/route-health';
import type { RedisHealthExchange } from './redis-health-exchange';
import type { SharingLog } from './sharing-log';

/** What sharing the health of routes is made with. */
export type HealthSharing = Readonly<{
  /** What this process knows; every read is answered from it. */
  own: RouteHealthStore;
  exchange: RedisHealthExchange;
  clock: Clock;
  breaker: BreakerSettings;
  /** Whether the catalog has the route: of others nothing is kept. */
  knows: (route: OfferingId) => boolean;
  log: Pick<SharingLog, 'failed' | 'worked'>;
}>;
