import type { DependencyContainer } from 'tsyringe';
import { InMemoryCanaryTallies } from '../infra/health/in-memory-canary-tallies';
import { InMemoryProbes } from '../infra/health/in-memory-probes';
import { InMemoryRouteHealth } from '../infra/health/in-memory-route-health';
import { OwnTrials } from '../infra/health/own-trials';
import { GenaiPriceList } from '../infra/price/genai-price-list';
import { FixedMinuteRates } from '../infra/rate/fixed-minute-rates';
import { inMemoryLimiter, redisLimiter } from '../infra/rate/limiters';
import { AsyncChangeAuthor } from '../infra/runtime/async-change-author';
import { RandomSecretGenerator } from '../infra/runtime/random-secret-generator';
import { SystemClock } from '../infra/runtime/system-clock';
import { SystemRandom } from '../infra/runtime/system-random';
import { SystemSleeper } from '../infra/runtime/system-sleeper';
import { SystemTimer } from '../infra/runtime/system-timer';
import { UlidGenerator } from '../infra/runtime/ulid-generator';
import { MeteredRequestRates } from '../infra/telemetry/metered-request-rates';
import { Metrics } from '../infra/telemetry/metrics';
import { PinoIncidentLog } from '../infra/telemetry/pino-incident-log';
import { DEFAULT_BREAKER } from '../domain/health/circuit-breaker';
import { singleton } from './singleton';
import { TOKEN } from './token';

/** Time, chance, ids, secrets, and what this process remembers or tells its operators. */
export function registerRuntime(container: DependencyContainer): void {
  container.register(TOKEN.breaker, { useValue: DEFAULT_BREAKER });
  singleton(container, TOKEN.clock, () => new SystemClock());
  singleton(container, TOKEN.random, () => new SystemRandom());
  singleton(container, TOKEN.timer, () => new SystemTimer());
  singleton(container, TOKEN.sleeper, (c) => new SystemSleeper(c.resolve(TOKEN.timer)));
  singleton(container, TOKEN.ids, () => new UlidGenerator());
  singleton(container, TOKEN.changeAuthor, () => new AsyncChangeAuthor());
  singleton(container, TOKEN.secrets, () => new RandomSecretGenerator());
  singleton(container, TOKEN.prices, () => new GenaiPriceList());
  singleton(container, TOKEN.health, () => new InMemoryRouteHealth());
  singleton(container, TOKEN.trials, () => new OwnTrials());
  singleton(container, TOKEN.canaryTallies, () => new InMemoryCanaryTallies());
  singleton(container, TOKEN.probes, () => new InMemoryProbes());
  singleton(container, TOKEN.incidents, (c) => new PinoIncidentLog(c.resolve(TOKEN.logger)));
  singleton(container, Metrics, () => new Metrics());
  singleton(container, TOKEN.rates, (c) => {
    const redis = c.resolve(TOKEN.redis);
    const rates = new FixedMinuteRates(() => (redis === null ? inMemoryLimiter() : redisLimiter(redis)));
    return new MeteredRequestRates(rates, c.resolve(Metrics));
  });
}
