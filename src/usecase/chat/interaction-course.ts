import type { Route } from '../../domain/catalog/route';
import type { ChatAnswer } from '../../domain/chat/chat-answer';
import { choicesOf } from '../../domain/chat/choices';
import { runsProviderTools } from '../../domain/chat/provider-tools';
import type { Conditions } from '../../domain/health/provider-health';
import { append, EMPTY_LEDGER, type Ledger } from '../../domain/interaction/ledger';
import type { ServedFacts } from '../../domain/interaction/served-facts';
import { inputEstimateOf } from '../../domain/interaction/usage-estimate';
import type { MicroUsd } from '../../domain/kernel/money';
import { budgetOf, type Budget } from '../../domain/resilience/budget';
import { replaySafetyOf, type ReplaySafety } from '../../domain/resilience/replay-safety';
import type { NextAttempt, Situation } from '../../domain/resilience/next-action';
import { leadsElsewhere } from '../../domain/resilience/slow-start';
import { refusalNow } from '../../domain/routing/gates';
import type { Plan } from '../../domain/routing/plan';
import type { PlannedRoute } from '../../domain/routing/planned-route';
import type { Refusal } from '../../domain/routing/refusal';
import { worstCostAfter } from '../../domain/wallet/reservation';
import type { AdmittedChat } from './admitted-chat';
import type { AttemptOrder } from './attempt-order';
import type { AttemptReport } from './attempt-report';
import { factsOf } from './facts-of';
import { Redactions } from './redactions';
import type { GroupAdmission } from './group-admission';
import type { KeyInUse } from './idempotency-check';

export type Circumstances = Readonly<{
  /** Null: no group of the tenant is limited. */
  groups: GroupAdmission | null;
  /** Null: the caller sent no idempotency key. */
  key: KeyInUse | null;
  maxDeadlineMs: number;
}>;

/** One interaction while it runs: what has happened so far, from which every decision and every record is made. */
export class InteractionCourse {
  ledger: Ledger = EMPTY_LEDGER;
  /** As of the latest decision. */
  refusals: readonly Refusal[];
  /** Of routes that were to be taken when their group became full. */
  readonly outpaced: Refusal[] = [];
  readonly groups: Circumstances['groups'];
  /** The opening row is durable. */
  recorded = false;
  /** Of the tenant's wallet; null: it has none, or nothing was attempted yet. */
  heldMicroUsd: MicroUsd | null = null;
  served: Readonly<{ answer: ChatAnswer | null; facts: ServedFacts }> | null = null;
  readonly key: Circumstances['key'];
  readonly budget: Budget;
  private readonly replaySafety: ReplaySafety;
  private readonly redactions: Redactions | null;

  constructor(
    readonly chat: AdmittedChat,
    readonly plan: Plan,
    { groups, key, maxDeadlineMs }: Circumstances,
  ) {
    this.groups = groups;
    this.key = key;
    this.refusals = plan.refusals;
    this.redactions = Redactions.of(chat, plan);
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
    const sendable = this.redactions?.for(next.candidate.route.provider) ?? null;
    const start = {
      number: this.ledger.length + 1,
      action: next.action,
      route: next.candidate.route,
      startedAtMs: nowMs,
      backoffMs: next.delayMs,
      trial: next.trial,
      inputEstimate: this.isPaid ? inputEstimateOf(next.candidate.route, this.chat.request.needs) : null,
      redacted: sendable?.redacted ?? null,
    };
    return {
      start,
      chat: this.chat,
      request: sendable?.request ?? this.chat.request,
      restore: sendable?.restore ?? null,
      settings: this.plan.settings,
      deadlineAtMs: this.budget.deadlineAtMs,
      facts: factsOf(this.plan, this.ledger, next),
      // Chance moves waits only, and a wait leads nowhere at once.
      leadsElsewhere: () => leadsElsewhere(this.situation(conditions(), 0), start),
    };
  }

  /**
   * What has to be held of the tenant's wallet before an attempt on the route; null: it has none. The gates let no route
   * pass for it whose worst case is unknown.
   */
  reservationBefore(route: Route): MicroUsd | null {
    if (!this.isPaid) return null;
    const { request } = this.chat;
    const worst = worstCostAfter(this.ledger, route, { needs: request.needs, choices: choicesOf(request) });
    if (typeof worst !== 'number') throw new Error(`${route.id} was to be paid from a wallet: ${worst}`);
    return Math.max(worst, this.heldMicroUsd ?? 0);
  }

  private get isPaid(): boolean {
    return this.chat.tenant.wallet === true;
  }

  /** The route was lost to a request that came first; what is decided next may have no more to do with it. */
  noteOutpaced(candidate: PlannedRoute, conditions: Conditions): void {
    const refusal = refusalNow(candidate, conditions);
    if (refusal !== null) this.outpaced.push(refusal);
  }

  add(report: AttemptReport): void {
    this.ledger = append(this.ledger, report.attempt);
    if (report.attempt.outcome.kind === 'served')
      this.served = { answer: report.answer, facts: report.facts };
  }
}
