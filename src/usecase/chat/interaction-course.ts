import type { ChatAnswer } from '../../domain/chat/chat-answer';
import { runsProviderTools } from '../../domain/chat/provider-tools';
import type { Conditions } from '../../domain/health/provider-health';
import { append, EMPTY_LEDGER, type Ledger } from '../../domain/interaction/ledger';
import type { ServedFacts } from '../../domain/interaction/served-facts';
import { budgetOf, type Budget } from '../../domain/resilience/budget';
import { replaySafetyOf, type ReplaySafety } from '../../domain/resilience/replay-safety';
import type { NextAttempt, Situation } from '../../domain/resilience/next-action';
import { leadsElsewhere } from '../../domain/resilience/slow-start';
import type { Plan } from '../../domain/routing/plan';
import type { Refusal } from '../../domain/routing/refusal';
import type { AdmittedChat } from './admitted-chat';
import type { AttemptOrder } from './attempt-order';
import type { AttemptReport } from './attempt-report';
import { factsOf } from './facts-of';

/** One interaction while it runs: what has happened so far, from which every decision and every record is made. */
export class InteractionCourse {
  ledger: Ledger = EMPTY_LEDGER;
  /** As of the latest decision. */
  refusals: readonly Refusal[];
  /** The opening row is durable. */
  recorded = false;
  served: Readonly<{ answer: ChatAnswer | null; facts: ServedFacts }> | null = null;
  readonly budget: Budget;
  private readonly replaySafety: ReplaySafety;

  constructor(
    readonly chat: AdmittedChat,
    readonly plan: Plan,
    maxDeadlineMs: number,
  ) {
    this.refusals = plan.refusals;
    this.budget = budgetOf(chat.receivedAtMs, plan.settings, [
      maxDeadlineMs,
      chat.options.timeoutMs ?? maxDeadlineMs,
    ]);
    this.replaySafety = replaySafetyOf({
      runsProviderTools: runsProviderTools(chat.request.body),
      callerForbids: chat.options.forbidsReplay,
    });
  }

  situation(conditions: Conditions, draw: number): Situation {
    const { plan, ledger, budget } = this;
    return { plan, ledger, budget, replaySafety: this.replaySafety, conditions, draw };
  }

  /** `conditions`: asked again whenever it matters what holds at that moment. */
  order(next: NextAttempt, nowMs: number, conditions: () => Conditions): AttemptOrder {
    const start = {
      number: this.ledger.length + 1,
      action: next.action,
      route: next.candidate.route,
      startedAtMs: nowMs,
      backoffMs: next.delayMs,
      trial: next.trial,
    };
    return {
      start,
      chat: this.chat,
      settings: this.plan.settings,
      deadlineAtMs: this.budget.deadlineAtMs,
      facts: factsOf(this.plan, this.ledger, next),
      // Chance moves waits only, and a wait leads nowhere at once.
      leadsElsewhere: () => leadsElsewhere(this.situation(conditions(), 0), start),
    };
  }

  add(report: AttemptReport): void {
    this.ledger = append(this.ledger, report.attempt);
    if (report.attempt.outcome.kind === 'served')
      this.served = { answer: report.answer, facts: report.facts };
  }
}
