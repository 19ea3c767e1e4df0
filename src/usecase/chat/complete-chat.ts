import type { GatewayError } from '../../domain/error/gateway-error';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import { lastAttempt } from '../../domain/interaction/ledger';
import {
  nextAction,
  type NextAction,
  type NextAttempt,
  type NextStop,
} from '../../domain/resilience/next-action';
import { canaryOutcomeOf } from '../../domain/routing/canary-outcome';
import { planRoutes } from '../../domain/routing/plan';
import type { CanaryObserver } from '../port/canary-observer';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { SealedAnswer } from '../port/idempotency-secrets';
import type { IncidentLog } from '../port/incident-log';
import type { InteractionStore } from '../port/interaction-store';
import type { Random } from '../port/random';
import type { Reply } from '../port/reply';
import type { RequestRates } from '../port/request-rates';
import type { Sleeper } from '../port/sleeper';
import { StoreUnavailable } from '../port/store-unavailable';
import type { AdmittedChat } from './admitted-chat';
import type { AttemptRunner } from './attempt-runner';
import { closingOf, openingOf } from './audit-entries';
import { endReply, replyEndingOf } from './end-reply';
import { GroupAdmission } from './group-admission';
import type { IdempotencyCheck, KeyInUse } from './idempotency-check';
import { InteractionCourse } from './interaction-course';
import { errorOfRecording, isTurnedAway, unrecorded } from './recording';
import { pause } from './pause';
import type { Permit, RoutePermits } from './route-permits';

export type CompleteChatDeps = Readonly<{
  configuration: Configuration;
  interactions: InteractionStore;
  attempts: AttemptRunner;
  permits: RoutePermits;
  rates: RequestRates;
  canaries: CanaryObserver;
  idempotency: IdempotencyCheck;
  incidents: IncidentLog;
  clock: Clock;
  random: Random;
  sleeper: Sleeper;
  /** Aborted when running interactions have to end. */
  shutdown: AbortSignal;
  /** No interaction may last longer, whatever policies and callers ask for; milliseconds. */
  maxDeadlineMs: number;
}>;

/**
 * Serves one interaction: one answer at most reaches the caller, and every attempt is on record before it is made.
 * Why something is done is decided by `planRoutes` and `nextAction`; this is the shell that does it.
 */
export class CompleteChat {
  constructor(private readonly deps: CompleteChatDeps) {}

  async execute(chat: AdmittedChat, reply: Reply): Promise<void> {
    const { idempotencyKey } = chat.options;
    if (idempotencyKey === null) return this.run(chat, reply, null);
    const checked = await this.deps.idempotency.check(chat, idempotencyKey);
    switch (checked.kind) {
      case 'runs':
        return this.run(chat, reply, checked.key);
      case 'replayed':
        return reply.repeat(checked.answer, checked.requestId);
      case 'refused':
        return reply.fail(checked.error, []);
    }
  }

  private async run(chat: AdmittedChat, reply: Reply, key: KeyInUse | null): Promise<void> {
    const groups = GroupAdmission.of(chat.tenant, this.deps);
    if (groups !== null) await groups.look();
    const planned = this.plan(chat, groups);
    if (!planned.ok) return reply.fail(planned.error, []);
    const { maxDeadlineMs } = this.deps;
    const course = new InteractionCourse(chat, planned.value, { groups, key, maxDeadlineMs });
    await this.serve(course, reply);
  }

  private plan(chat: AdmittedChat, groups: GroupAdmission | null): ReturnType<typeof planRoutes> {
    const { configuration, permits, random } = this.deps;
    return planRoutes({
      request: chat.request,
      tenant: chat.tenant,
      keyGroups: chat.key.groups,
      groupStrategy: chat.key.groupStrategy,
      apiKey: chat.key.id,
      catalog: configuration.catalog(),
      policies: configuration.policyIndexOf(chat.tenant.id),
      conditions: permits.conditions(groups?.full),
      draw: random.unit(),
    });
  }

  private async serve(course: InteractionCourse, reply: Reply): Promise<void> {
    let action: NextAction;
    try {
      action = this.decide(course);
      while (action.kind === 'attempt') action = await this.attempt(course, action, reply);
    } catch (cause) {
      this.deps.incidents.defect(course.chat.requestId, cause);
      action = { kind: 'stop', state: 'failed', error: { code: 'gateway_error' }, refusals: course.refusals };
    }
    await this.conclude(course, action, reply);
  }

  /** Conditions change while we wait and while attempts run, so every gate is judged again each time. */
  private decide(course: InteractionCourse): NextAction {
    const { permits, random } = this.deps;
    const action = nextAction(course.situation(permits.conditions(course.groups?.full), random.unit()));
    course.refusals = action.refusals;
    return action;
  }

  private async attempt(course: InteractionCourse, next: NextAttempt, reply: Reply): Promise<NextAction> {
    const { permits } = this.deps;
    const interruption = await this.pause(next, reply);
    if (interruption !== null) return interruption;
    const permit = permits.take(next.candidate.route.id, next.trial ? 'last_resort' : 'ordinary');
    // The circuit opened, or another request, perhaps of another replica, took the trial slot since this was decided.
    if (permit === null || (permit.trial && !(await permits.confirm(permit)))) return this.decide(course);
    return this.attemptWith(permit, course, next, reply);
  }

  /** A caller who has left must never cause another provider call, not even a planned one. */
  private async pause({ delayMs, refusals }: NextAttempt, { callerGone }: Reply): Promise<NextStop | null> {
    const { sleeper, shutdown } = this.deps;
    const interrupted = await pause(sleeper, delayMs, { callerGone, shutdown });
    if (interrupted === null) return null;
    return interrupted === 'caller_gone'
      ? { kind: 'stop', state: 'cancelled', error: null, refusals }
      : { kind: 'stop', state: 'failed', error: { code: 'shutting_down' }, refusals };
  }

  private async attemptWith(
    permit: Permit,
    course: InteractionCourse,
    next: NextAttempt,
    reply: Reply,
  ): Promise<NextAction> {
    const { permits, attempts, clock } = this.deps;
    let attempt: Attempt | null = null;
    try {
      // Or another request has taken the last place of the group's minute since this was decided.
      if (course.groups === null || (await course.groups.take(next.candidate.route.channel.group))) {
        const conditions = () => permits.conditions(course.groups?.full);
        const order = course.order({ ...next, trial: permit.trial }, clock.nowMs(), conditions);
        const error = await this.record(course, order.start);
        if (error !== null) {
          await course.groups?.giveBack();
          return unrecorded(course, error, next.refusals);
        }
        const report = await attempts.run(order, reply);
        course.add(report);
        attempt = report.attempt;
      } else {
        course.noteOutpaced(next.candidate, permits.conditions(course.groups.full));
      }
    } finally {
      if (attempt === null) permits.release(permit);
      else permits.settle(permit, attempt);
    }
    // Who has been served goes nowhere else.
    if (course.groups !== null && course.served === null) await course.groups.look();
    return this.decide(course);
  }

  /** Commits the start of an attempt and what is held for it. An error: the attempt must not be made (DESIGN §7). */
  private async record(course: InteractionCourse, start: AttemptStart): Promise<GatewayError | null> {
    const { interactions } = this.deps;
    const ended = lastAttempt(course.ledger);
    const reservation = course.reservationBefore(start.route);
    try {
      const outcome =
        ended === undefined
          ? await interactions.open(openingOf(course, start, reservation))
          : await interactions.advance(course.chat.requestId, ended, start, reservation);
      const error = errorOfRecording(outcome);
      if (error !== null) return error;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      return { code: 'audit_unavailable' };
    }
    course.recorded = true;
    course.heldMicroUsd = reservation;
    return null;
  }

  /** The one closing write, and then the end of the caller's answer: who has read it finds its record closed. */
  private async conclude(course: InteractionCourse, stop: NextStop, reply: Reply): Promise<void> {
    const lost = await this.close(course, stop, reply);
    this.observeCanary(course, stop);
    endReply(reply, replyEndingOf(course, lost ?? stop.error));
  }

  /** For a caller who may ask for it again; undefined: he may not, or it is too large to be kept. */
  private sealedAnswer(course: InteractionCourse, stop: NextStop, reply: Reply): SealedAnswer | undefined {
    const { chat, key } = course;
    if (key === null || stop.state !== 'served') return undefined;
    try {
      const ending = replyEndingOf(course, stop.error);
      const answer = ending === null ? null : reply.transcript(ending);
      return answer === null ? undefined : this.deps.idempotency.seal(answer, chat, key);
    } catch (cause) {
      // What can't be kept must not keep the record from being closed.
      this.deps.incidents.defect(chat.requestId, cause);
      return undefined;
    }
  }

  private observeCanary({ chat, plan, ledger }: InteractionCourse, { refusals }: NextStop): void {
    const { policy, primary } = plan;
    if (!plan.canary || policy === null || primary === null) return;
    const outcome = canaryOutcomeOf(primary.route, ledger, refusals);
    if (outcome === 'neutral') return;
    this.deps.canaries.observe(
      { tenant: chat.tenant.id, policy: policy.name, version: policy.version },
      outcome,
    );
  }

  /** Returns the error that the caller gets instead, if nothing of this interaction could be recorded. */
  private async close(course: InteractionCourse, stop: NextStop, reply: Reply): Promise<GatewayError | null> {
    // Another interaction has the key, and is recorded: this one never came to be.
    if (stop.error?.code === 'idempotency_in_progress') return null;
    const { interactions, incidents, clock } = this.deps;
    const sealedAnswer = this.sealedAnswer(course, stop, reply);
    const closing = closingOf(course, stop, clock.nowMs(), sealedAnswer);
    let opened: Promise<unknown> | null = null;
    try {
      // Both rows of a refusal share one commit.
      opened = course.recorded ? null : interactions.open(openingOf(course, null, null));
      await Promise.all([opened, interactions.close(closing)]);
      return null;
    } catch (cause) {
      if (!(await isTurnedAway(opened))) incidents.closingNotRecorded(closing, cause);
      // Who has left is told nothing.
      const toldNothing = course.recorded || stop.state === 'cancelled';
      return toldNothing ? null : { code: 'audit_unavailable' };
    }
  }
}
