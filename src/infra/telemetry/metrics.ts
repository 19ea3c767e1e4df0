import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** From a fast answer of a small model to the longest deadline. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** What operators watch. Labels never hold anything that a caller chose, so that their number stays bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly admissionsRefused = new Counter({
    name: 'schneeai_admissions_refused_total',
    help: 'Requests that found a requests-per-minute limit full: of their key, or of a channel group on their way.',
    labelNames: ['scope'],
    registers: [this.registry],
  });
  readonly idempotencyKeys = new Counter({
    name: 'schneeai_idempotency_keys_total',
    help: 'Requests with an Idempotency-Key, by what became of them (new, continuation, in_progress, replay, reused, unavailable).',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly interactions: Counter<'state' | 'error'>;
  readonly attempts: Counter<'provider' | 'action' | 'outcome'>;
  readonly fallbacks: Counter<'reason'>;
  readonly duration: Histogram<'state'>;
  readonly firstOutput: Histogram<'provider'>;

  constructor() {
    const registers = [this.registry];
    this.interactions = new Counter({
      name: 'schneeai_interactions_total',
      help: 'Interactions that ended, by final state and error code.',
      labelNames: ['state', 'error'],
      registers,
    });
    this.attempts = new Counter({
      name: 'schneeai_attempts_total',
      help: 'Upstream calls that ended, by provider, action and outcome (served, or the fault class).',
      labelNames: ['provider', 'action', 'outcome'],
      registers,
    });
    this.fallbacks = new Counter({
      name: 'schneeai_failovers_total',
      help: 'Interactions that another provider or model than the primary served, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.duration = new Histogram({
      name: 'schneeai_interaction_duration_seconds',
      help: 'Time from the request to the closing record.',
      labelNames: ['state'],
      buckets: SECONDS,
      registers,
    });
    this.firstOutput = new Histogram({
      name: 'schneeai_attempt_first_output_seconds',
      help: 'Time from the start of an attempt to its first output.',
      labelNames: ['provider'],
      buckets: SECONDS,
      registers,
    });
    collectDefaultMetrics({ register: this.registry });
  }
}
