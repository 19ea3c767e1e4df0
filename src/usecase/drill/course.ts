import type { Route } from '../../domain/catalog/route';
import type { AttemptAction } from '../../domain/interaction/attempt';
import type { ChannelId } from '../../domain/kernel/ids';
import type { PolicySettings } from '../../domain/routing/policy-settings';
import type { ProviderAct } from '../port/rehearsal-stage';
import { FAULT_RULES, outcomeOf, type FaultOutcome, type Outcome } from './fault-rule';
import type { Rung } from './ladder';
import { waitRange, type WaitRange } from './wait-range';

/** DESIGN §6: at most 8 attempts in all; a circuit opens at 3 failures. */
const MAX_ATTEMPTS = 8;
const CIRCUIT_OPENS_AT = 3;

export type ExpectedAttempt = Readonly<{
  route: Route;
  action: AttemptAction;
  outcome: Outcome;
  /** The wait before it. */
  wait: WaitRange;
}>;

/** What the specification says will happen. */
export type Course = Readonly<{
  attempts: readonly ExpectedAttempt[];
  /** The rung of the last attempt; null: nothing may be asked at all. */
  last: Rung | null;
  /** The price alone stood against every fallback that was possible. */
  priceStoodAlone: boolean;
}>;

/** What the providers were told to do: the acts of each channel, the last of which stands. Others answer. */
export type Script = ReadonlyMap<ChannelId, readonly ProviderAct[]>;

export type CourseFacts = Readonly<{
  ladder: readonly Rung[];
  script: Script;
  settings: PolicySettings;
  deadlineMs: number;
  /** Waits before retries as they were really drawn, by the number of the attempt less one: jitter can't be foreseen. */
  drawn: readonly (number | null)[];
}>;

const NO_WAIT: WaitRange = { minMs: 0, maxMs: 0 };

/** Walks the ladder as DESIGN §6 says: retries first, then the next rung, until something answers or nothing is left. */
export class CourseWalk {
  private readonly attempts: ExpectedAttempt[] = [];
  private readonly tried = new Set<Rung>();
  private readonly calls = new Map<ChannelId, number>();
  private elapsedMs = 0;

  constructor(private readonly facts: CourseFacts) {}

  walk(): Course {
    let rung = this.next(null);
    let last: Rung | null = null;
    while (rung !== null) {
      last = rung;
      const outcome = this.climb(rung);
      if (outcome === 'served' || !this.fits(0) || this.attempts.length >= MAX_ATTEMPTS) break;
      rung = this.next(outcome);
    }
    const outcome = this.attempts.at(-1)?.outcome;
    const fault = outcome === undefined || outcome === 'served' ? null : outcome;
    return {
      attempts: this.attempts,
      last,
      priceStoodAlone: outcome !== 'served' && this.priceStandsAlone(fault),
    };
  }

  /** All attempts on one rung. */
  private climb(rung: Rung): Outcome {
    this.tried.add(rung);
    let outcome = this.attempt(rung, this.nameOf(rung), NO_WAIT);
    for (let retries = 0; outcome !== 'served'; retries += 1) {
      if (this.attempts.length >= MAX_ATTEMPTS || retries >= this.retriesAfter(outcome)) return outcome;
      const wait = waitRange(this.lastAct(rung), this.facts.settings.retry, retries);
      const waitMs = this.facts.drawn[this.attempts.length] ?? wait.maxMs;
      if (!this.fits(waitMs)) return outcome;
      this.elapsedMs += waitMs;
      outcome = this.attempt(rung, 'retry', wait);
    }
    return outcome;
  }

  private attempt(rung: Rung, action: AttemptAction, wait: WaitRange): Outcome {
    const { route } = rung;
    this.calls.set(route.channel.id, (this.calls.get(route.channel.id) ?? 0) + 1);
    const outcome = outcomeOf(this.lastAct(rung), this.facts.settings.commitOn);
    this.attempts.push({ route, action, outcome, wait });
    return outcome;
  }

  private lastAct({ route }: Rung): ProviderAct {
    const acts = this.facts.script.get(route.channel.id) ?? [];
    const nth = this.calls.get(route.channel.id) ?? 1;
    return acts[Math.min(nth, acts.length) - 1] ?? { kind: 'answers' };
  }

  private nameOf({ role }: Rung): AttemptAction {
    return role === 'primary' ? 'initial' : role;
  }

  /** With a fallback left, or with none but those that cost too much, few retries come before it (DESIGN §5, §6). */
  private retriesAfter(fault: FaultOutcome): number {
    const rule = FAULT_RULES[fault];
    const { maxRetries, maxRetriesBeforeFallback } = this.facts.settings.retry;
    if (rule.retry === 'never') return 0;
    const fallbackLeft = this.next(fault) !== null;
    const beforeFallback = fallbackLeft || this.priceStandsAlone(fault);
    const allowed = beforeFallback ? Math.min(maxRetries, maxRetriesBeforeFallback) : maxRetries;
    const once = rule.retry === 'once' ? Math.min(1, allowed) : allowed;
    return fallbackLeft && rule.opensCircuit ? Math.min(once, CIRCUIT_OPENS_AT - 1) : once;
  }

  /** The first rung that was not tried and that nothing stands against; null: there is none, or no hop is left. */
  private next(fault: FaultOutcome | null): Rung | null {
    return this.reachable(fault).find(({ barrier }) => barrier === null) ?? null;
  }

  private priceStandsAlone(fault: FaultOutcome | null): boolean {
    const possible = this.reachable(fault).filter(
      ({ role, barrier }) => role !== 'primary' && (barrier === null || barrier === 'cost'),
    );
    return possible.length > 0 && possible.every(({ barrier }) => barrier === 'cost');
  }

  /** Rungs to which a fault may lead, whatever stands against them. */
  private reachable(fault: FaultOutcome | null): readonly Rung[] {
    const { ladder, settings } = this.facts;
    if (this.tried.size >= settings.maxHops) return [];
    const rule = fault === null ? null : FAULT_RULES[fault];
    if (rule?.leaves === false) return [];
    const listed = rule === null || (rule.cause !== null && settings.failoverOn.includes(rule.cause));
    return ladder.filter((rung) => !this.tried.has(rung) && (listed || !rung.failover));
  }

  private fits(waitMs: number): boolean {
    const { deadlineMs, settings } = this.facts;
    return deadlineMs - this.elapsedMs - waitMs >= settings.minAttemptMs;
  }
}
