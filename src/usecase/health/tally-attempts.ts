import {
  minuteOf,
  observedOutcomeOf,
  observedSince,
  type ProviderMinute,
} from '../../domain/health/observed-success';
import type { Attempt } from '../../domain/interaction/attempt';
import type { AttemptObserver } from '../port/attempt-observer';
import type { Clock } from '../port/clock';
import type { ProviderMinutes } from '../port/provider-minutes';

export type TallyAttemptsDeps = Readonly<{ minutes: Pick<ProviderMinutes, 'add'>; clock: Clock }>;

/** Counts what providers make of our calls, in memory; a worker adds the counts to what all processes have seen. */
export class TallyAttempts implements AttemptObserver {
  /** By provider and minute: bounded by the providers and a day, also while the store is gone. */
  private pending = new Map<string, ProviderMinute>();

  constructor(private readonly deps: TallyAttemptsDeps) {}

  observe(attempt: Attempt): void {
    const outcome = observedOutcomeOf(attempt);
    if (outcome === null) return;
    const { provider } = attempt.route;
    const minuteMs = minuteOf(attempt.endedAtMs);
    const answered = outcome === 'answered' ? 1 : 0;
    this.count({ provider, minuteMs, answered, failed: 1 - answered });
  }

  /** What can't be stored now is stored later, as long as it is worth telling. */
  async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const since = observedSince(this.deps.clock.nowMs());
    const counted = [...this.pending.values()].filter(({ minuteMs }) => minuteMs >= since);
    this.pending = new Map();
    try {
      await this.deps.minutes.add(counted, since);
    } catch (error) {
      for (const minute of counted) this.count(minute);
      throw error;
    }
  }

  private count(more: ProviderMinute): void {
    const key = `${more.minuteMs} ${more.provider}`;
    const known = this.pending.get(key);
    this.pending.set(key, {
      ...more,
      answered: more.answered + (known?.answered ?? 0),
      failed: more.failed + (known?.failed ?? 0),
    });
  }
}
