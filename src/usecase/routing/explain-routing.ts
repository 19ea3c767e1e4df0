import { choicesOf } from '../../domain/chat/choices';
import { runsProviderTools } from '../../domain/chat/provider-tools';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import { conditionsAt } from '../../domain/health/conditions-at';
import { freshHealth, openedUntil } from '../../domain/health/route-health';
import { EMPTY_LEDGER } from '../../domain/interaction/ledger';
import type { RequestSize } from '../../domain/interaction/worst-attempt-cost';
import type { OfferingId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import { SMALLEST_DRAW } from '../../domain/resilience/backoff';
import { budgetOf } from '../../domain/resilience/budget';
import { faultCourses, openCircuitCourse } from '../../domain/resilience/fault-course';
import type { FaultCourse } from '../../domain/resilience/fault-course';
import { decide } from '../../domain/resilience/hypothesis';
import type { Hypothesis, Moment } from '../../domain/resilience/hypothesis';
import type { NextAction } from '../../domain/resilience/next-action';
import { replaySafetyOf } from '../../domain/resilience/replay-safety';
import { worstCaseOf } from '../../domain/resilience/worst-case';
import { fullGroups, NO_FULL_GROUPS, type FullGroups } from '../../domain/rate/full-groups';
import { groupCounters } from '../../domain/rate/rate-counter';
import { indexPolicies } from '../../domain/routing/match-policy';
import { planRoutes } from '../../domain/routing/plan';
import type { PlanInput } from '../../domain/routing/plan';
import { checkAgainstCatalog } from '../../domain/routing/policy-against-catalog';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { Tenant } from '../../domain/tenant/tenant';
import { worstCostAfter } from '../../domain/wallet/reservation';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { RequestRates } from '../port/request-rates';
import type { RouteHealthStore } from '../port/route-health';
import type { Explanation, Question } from './explanation';
import { draftOf, onSide } from './asked-policies';
import { noSuchPolicy } from './policy-precondition';
import { supposedRoutes, unknownSuppositions } from './supposed-routes';

export type ExplainRoutingDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant' | 'catalog' | 'policiesOf'>;
  health: Pick<RouteHealthStore, 'get'>;
  rates: Pick<RequestRates, 'look'>;
  clock: Clock;
  breaker: BreakerSettings;
  /** No interaction may last longer, whatever its policy says; milliseconds. */
  maxDeadlineMs: number;
}>;

type PlanFacts = Omit<PlanInput, 'conditions'>;

/**
 * Says what would happen to a request, by the planner and the rules that serve it (DESIGN §9). It asks no provider and
 * writes nothing.
 */
export class ExplainRouting {
  constructor(private readonly deps: ExplainRoutingDeps) {}

  async execute(question: Question): Promise<Result<Explanation, GatewayError>> {
    const { clock, breaker, health } = this.deps;
    const nowMs = clock.nowMs();
    const asked = this.asked(question, nowMs);
    if (!asked.ok) return asked;
    const { facts, draft } = asked.value;
    const routes = supposedRoutes(facts.catalog, health, question.supposing, { nowMs, breaker });
    const full = await this.fullGroupsOf(facts.tenant, nowMs);
    const beginning = { nowMs, ledger: EMPTY_LEDGER, health: routes, fullGroups: full };
    const explained = this.explained(facts, beginning);
    if (!explained.ok) return explained;
    return ok({
      ...explained.value,
      request: question.request,
      byDraft: draft !== null && explained.value.plan.policy?.name === question.policy,
      draftCheck:
        draft === null ? null : checkAgainstCatalog(draft.policy, facts.catalog, facts.tenant, nowMs),
    });
  }

  /** What the planner needs to know, or what is wrong with the question. */
  private asked(
    question: Question,
    nowMs: number,
  ): Result<Readonly<{ facts: PlanFacts; draft: PolicyVersion | null }>, GatewayError> {
    const { configuration } = this.deps;
    const tenant = configuration.tenant(question.tenant);
    if (tenant === undefined) return err(noSuchTenant(question.tenant));
    const stored = configuration.policiesOf(question.tenant);
    const draft = draftOf(question, stored.get(question.policy), nowMs);
    if (!draft.ok) return draft;
    const asked = draft.value ?? stored.get(question.policy);
    if (asked === undefined) return err(noSuchPolicy(question.policy));
    const catalog = configuration.catalog();
    const problems = unknownSuppositions(catalog, question.supposing);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });
    const policies = new Map([...stored, [question.policy, asked]]);
    const facts: PlanFacts = {
      request: question.request,
      tenant,
      keyGroups: question.keyGroups,
      groupStrategy: question.groupStrategy,
      catalog,
      policies: indexPolicies([...policies.values()].map((version) => onSide(version, question.side))),
      // Whom a canary draws was decided by the question.
      apiKey: '',
      draw: SMALLEST_DRAW,
    };
    return ok({ facts, draft: draft.value });
  }

  /** Looking takes nothing from the tenant. */
  private async fullGroupsOf(tenant: Tenant, nowMs: number): Promise<FullGroups> {
    const counters = groupCounters(tenant);
    if (counters.length === 0) return NO_FULL_GROUPS;
    return fullGroups(counters, await this.deps.rates.look(counters), nowMs);
  }

  private explained(
    facts: PlanFacts,
    beginning: Moment,
  ): Result<
    Pick<Explanation, 'plan' | 'first' | 'faults' | 'worstCase' | 'reservationMicroUsd'>,
    GatewayError
  > {
    const hypothesis = this.hypothesisOf(facts, beginning);
    if (!hypothesis.ok) return hypothesis;
    const { request } = facts;
    const form = request.stream ? 'stream' : 'whole';
    const first = decide(hypothesis.value, beginning, SMALLEST_DRAW);
    const size = { form, needs: request.needs, choices: choicesOf(request) } as const;
    return ok({
      plan: hypothesis.value.plan,
      first,
      faults: [
        ...faultCourses(hypothesis.value, beginning, form),
        ...this.withOpenCircuit(facts, beginning, first),
      ],
      worstCase: worstCaseOf(hypothesis.value, beginning, size),
      reservationMicroUsd: reservationFor(first, size),
    });
  }

  /** The same request once more, with the circuit open of the route that it would have begun with. */
  private withOpenCircuit(facts: PlanFacts, beginning: Moment, first: NextAction): readonly FaultCourse[] {
    if (first.kind === 'stop') return [];
    const { id } = first.candidate.route;
    const health = new Map(beginning.health);
    const untilMs = beginning.nowMs + this.deps.breaker.openMs;
    health.set(id, openedUntil(health.get(id) ?? freshHealth(), untilMs));
    const later: Moment = { ...beginning, health };
    const hypothesis = this.hypothesisOf(facts, later);
    return hypothesis.ok ? [openCircuitCourse(hypothesis.value, later)] : [];
  }

  private hypothesisOf(
    facts: PlanFacts,
    { nowMs, health, fullGroups: full }: Moment,
  ): Result<Hypothesis, GatewayError> {
    const { breaker, maxDeadlineMs } = this.deps;
    const { catalog, request } = facts;
    const healthOf = (route: OfferingId) => health.get(route) ?? freshHealth();
    const observed = { catalog, healthOf, breaker, fullGroups: full };
    const plan = planRoutes({ ...facts, conditions: conditionsAt(observed, nowMs) });
    if (!plan.ok) return err(unanswered(request.model));
    return ok({
      plan: plan.value,
      budget: budgetOf(nowMs, plan.value.settings, [maxDeadlineMs]),
      replaySafety: replaySafetyOf({
        runsProviderTools: runsProviderTools(request.body),
        callerForbids: false,
      }),
      catalog,
      breaker,
    });
  }
}

function reservationFor(first: NextAction, size: RequestSize): MicroUsd | null {
  if (first.kind === 'stop') return null;
  const worst = worstCostAfter(EMPTY_LEDGER, first.candidate.route, size);
  return typeof worst === 'number' ? worst : null;
}

function noSuchTenant(tenant: string): GatewayError {
  return { code: 'not_found', message: `There is no tenant '${tenant}'.` };
}

/** The request's 404 isn't the question's: the policy is there. */
function unanswered(model: string): GatewayError {
  const message = `no model "${model}" in the catalog, and no policy that answers for it: such a request is a 404 model_not_found`;
  return { code: 'unprocessable', problems: [{ field: 'request.model', message }] };
}
