import { DEFAULT_BREAKER } from '../../src/domain/health/circuit-breaker';
import { admit, circuitViewOf, isCurrent, observe } from '../../src/domain/health/route-health';
import type { HealthOutcome } from '../../src/domain/health/circuit-breaker';
import type { CircuitView } from '../../src/domain/health/provider-health';
import { InMemoryRouteHealth } from '../../src/infra/health/in-memory-route-health';
import type { SharingOperation } from '../../src/infra/redis/sharing-log';
import type { RedisConnection } from '../../src/infra/redis/redis-connection';
import { RedisHealthExchange } from '../../src/infra/redis/redis-health-exchange';
import { SharedRouteHealth } from '../../src/infra/redis/shared-route-health';
import { FakeClock } from './fake-clock';
import { connect } from './redis';

/** One replica of the gateway, as far as it shares the health of its routes; each has a clock of its own. */
export class SharingReplica {
  readonly failures: SharingOperation[] = [];
  readonly health: SharedRouteHealth;

  private constructor(
    readonly connection: RedisConnection,
    readonly clock: FakeClock,
    routes: readonly string[],
  ) {
    this.health = new SharedRouteHealth({
      own: new InMemoryRouteHealth(),
      exchange: new RedisHealthExchange(connection),
      clock,
      breaker: DEFAULT_BREAKER,
      knows: (route) => routes.includes(route),
      log: { failed: (operation) => this.failures.push(operation), worked: () => undefined },
    });
  }

  static async start(
    where: Readonly<{ url?: string; prefix: string }>,
    { nowMs = 1_000_000, routes = ['mini', 'haiku'] }: Readonly<{ nowMs?: number; routes?: string[] }> = {},
  ): Promise<SharingReplica> {
    const connection = await connect(where.url, where.prefix);
    const replica = new SharingReplica(connection, new FakeClock(nowMs), routes);
    connection.onUp(() => void replica.health.sync());
    await replica.health.sync();
    return replica;
  }

  /** Its circuit, as requests see it. */
  circuit(route = 'mini'): CircuitView {
    return circuitViewOf(this.health.get(route).breaker, this.clock.nowMs(), DEFAULT_BREAKER);
  }

  throttledForMs(route = 'mini'): number | null {
    const { throttledUntilMs } = this.health.get(route);
    return throttledUntilMs === null ? null : throttledUntilMs - this.clock.nowMs();
  }

  /** Asks for leave as a request does; null: refused. */
  async permit(route = 'mini'): Promise<number | null> {
    const { health, permission } = admit(this.health.get(route), this.clock.nowMs(), DEFAULT_BREAKER);
    this.health.set(route, health);
    if (permission.kind === 'refused') return null;
    if (!permission.trial) return permission.generation;
    return (await this.health.claim(route, permission.generation)) ? permission.generation : null;
  }

  /** An attempt that was made with leave of that generation has ended. */
  report(outcome: HealthOutcome, generation: number, throttleForMs: number | null = null): void {
    const nowMs = this.clock.nowMs();
    const throttleUntilMs = throttleForMs === null ? null : nowMs + throttleForMs;
    const observation = { outcome, generation, latencyMs: null, totalMs: null, throttleUntilMs };
    this.health.set('mini', observe(this.health.get('mini'), observation, nowMs, DEFAULT_BREAKER));
  }

  /** Three failures. */
  break(): void {
    for (let failure = 0; failure < 3; failure += 1) this.report('failure', this.generation());
  }

  isCurrent(generation: number): boolean {
    return isCurrent(this.health.get('mini'), generation);
  }

  generation(): number {
    return this.health.get('mini').breaker.generation;
  }

  async stop(): Promise<void> {
    await this.health.tell();
    await this.connection.close();
  }
}
