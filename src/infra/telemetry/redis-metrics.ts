import { Counter, Gauge, type Registry } from 'prom-client';

/** Registered only where a Redis is configured: without one there is nothing that could be down. */
export class RedisMetrics {
  readonly errors: Counter<'operation'>;

  constructor(registry: Registry, isUp: () => boolean) {
    const registers = [registry];
    new Gauge({
      name: 'schneeai_redis_up',
      help: '1 while the connections to Redis stand, else 0: what replicas share is then known to each alone.',
      registers,
      collect(): void {
        this.set(isUp() ? 1 : 0);
      },
    });
    this.errors = new Counter({
      name: 'schneeai_redis_errors_total',
      help: 'What Redis did not do, or sent and was not understood, by operation.',
      labelNames: ['operation'],
      registers,
    });
  }
}
