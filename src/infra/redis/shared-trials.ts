import { trialOverElsewhere } from '../../domain/health/health-change';
import type { OfferingId } from '../../domain/kernel/ids';
import type { RouteChanges } from './health-message';
import type { HealthSharing } from './health-sharing';
import { TRIAL_HELD_MS } from './redis-health-exchange';

type TrialElsewhere = Readonly<{
  /** Of the permission that was granted here, and for which another process tries now. */
  generation: number;
  /** Unless it is seen again, it is taken for lost. */
  untilMs: number;
}>;

/**
 * One trial slot per route for all processes. A trial that another one makes is a trial here as well, whose permission nobody
 * holds: it keeps the slot taken until its process says how it ended, or says nothing any more.
 */
export class SharedTrials {
  /** Trials that this process makes, with their generation. */
  private readonly own = new Map<OfferingId, number>();
  private readonly elsewhere = new Map<OfferingId, TrialElsewhere>();

  constructor(private readonly deps: HealthSharing) {}

  async claim(route: OfferingId, generation: number): Promise<boolean> {
    const { exchange, clock, log } = this.deps;
    if (!exchange.isUp) return true;
    try {
      if (!(await exchange.holdTrial(route))) {
        this.elsewhere.set(route, { generation, untilMs: clock.nowMs() + TRIAL_HELD_MS });
        return false;
      }
    } catch (error) {
      log.failed('trial', error);
      return true;
    }
    this.own.set(route, generation);
    return true;
  }

  /** The trial of this process has ended, and the others are told. */
  over(route: OfferingId): void {
    this.own.delete(route);
  }

  /** Another process has said that its trial has ended. */
  overElsewhere(route: OfferingId, nowMs: number): void {
    const { own, breaker } = this.deps;
    const trial = this.elsewhere.get(route);
    if (trial === undefined) return;
    this.elsewhere.delete(route);
    own.set(route, trialOverElsewhere(own.get(route), trial.generation, nowMs, breaker));
  }

  /** Forgets trials that were lost elsewhere, and our own that have lost their say: those are to be told. */
  ended(nowMs: number): readonly RouteChanges[] {
    for (const [route, { untilMs }] of this.elsewhere) if (nowMs >= untilMs) this.overElsewhere(route, nowMs);
    const over = [...this.own].filter(([route, generation]) => !this.runs(route, generation));
    for (const [route] of over) this.own.delete(route);
    return over.map(([route]) => ({ route, changes: [{ kind: 'trial_over' }] }));
  }

  /** Keeps the slots of trials that still run, and looks whether those of others are still held. May reject. */
  async renew(): Promise<void> {
    const { exchange, clock } = this.deps;
    for (const route of this.own.keys()) await exchange.holdTrial(route);
    for (const [route, trial] of this.elsewhere) {
      const held = await exchange.isTrialHeld(route);
      if (held) this.elsewhere.set(route, { ...trial, untilMs: clock.nowMs() + TRIAL_HELD_MS });
      else this.overElsewhere(route, clock.nowMs());
    }
  }

  private runs(route: OfferingId, generation: number): boolean {
    const { breaker } = this.deps.own.get(route);
    return breaker.generation === generation && breaker.state !== 'closed' && breaker.trialSinceMs !== null;
  }
}
