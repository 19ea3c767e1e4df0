import type { Route } from '../../src/domain/catalog/route';
import type { Attempt, AttemptOutcome } from '../../src/domain/interaction/attempt';
import { NO_USAGE } from '../../src/domain/interaction/usage';
import type { Fault } from '../../src/domain/resilience/fault';
import type { NextAction, Situation } from '../../src/domain/resilience/next-action';
import type { Plan } from '../../src/domain/routing/plan';
import type { PlannedRoute } from '../../src/domain/routing/planned-route';
import { DEFAULT_SETTINGS } from '../../src/domain/routing/policy-settings';
import type { PolicySettings } from '../../src/domain/routing/policy-settings';
import { ABLE, aChannel, aRoute, conditions } from './sample-catalog';

/** The instant at which every sample situation is judged. */
export const NOW_MS = 1_000_000;

/** A server error before the headers, unless told otherwise. */
export function aFault(given: Partial<Fault> = {}): Fault {
  return {
    class: 'server_error',
    stage: 'before_headers',
    code: null,
    status: 503,
    retryAfterMs: null,
    retryable: true,
    accountEvidence: false,
    requestSent: 'yes',
    abortedBy: null,
    providerError: null,
    param: null,
    ...given,
  };
}

/** A route whose id is also its channel's. */
export function routeAt(id: string, given: Partial<Route> = {}): Route {
  const provider = given.provider ?? 'openai';
  return aRoute({ id, channel: aChannel({ id, provider }), ...given });
}

export function candidate(
  route: Route,
  relation: PlannedRoute['relation'],
  given: Partial<PlannedRoute> = {},
): PlannedRoute {
  const failover =
    relation === 'model_fallback' || (relation === 'channel_fallback' && route.provider !== 'openai');
  return { route, relation, failover, refusal: null, ...given };
}

/** The primary: gpt-s at openai, with a context of 100 tokens. */
export const PRIMARY = candidate(
  routeAt('oa-1', { contract: { ...ABLE, contextTokens: 100, tools: false } }),
  'primary',
);
/** The same model on another channel of openai. */
export const CHANNEL = candidate(
  routeAt('oa-2', { contract: { ...ABLE, contextTokens: 200 } }),
  'channel_fallback',
);
/** The same model at another provider. */
export const ABROAD = candidate(
  routeAt('az', { provider: 'azure', contract: { ...ABLE, contextTokens: 300 } }),
  'channel_fallback',
);
/** Another model. */
export const MODEL = candidate(
  routeAt('an', { provider: 'anthropic', model: 'claude-s', contract: { ...ABLE, contextTokens: 400 } }),
  'model_fallback',
);
/** Yet another one, with less context. */
export const SMALL_MODEL = candidate(
  routeAt('mi', { provider: 'mistral', model: 'mistral-s', contract: { ...ABLE, contextTokens: 50 } }),
  'model_fallback',
);

export function aPlan(candidates: readonly PlannedRoute[], settings: Partial<PolicySettings> = {}): Plan {
  return {
    requestedModel: 'auto',
    policy: { name: 'p', version: 1 },
    settings: { ...DEFAULT_SETTINGS, ...settings },
    canary: false,
    primary: candidates.find(({ relation }) => relation === 'primary') ?? null,
    candidates,
    refusals: [],
    pii: null,
  };
}

/** An attempt that ended just now. */
export function anAttempt(
  given: Partial<Attempt> & Readonly<{ route: Route; outcome: AttemptOutcome }>,
): Attempt {
  return {
    number: 1,
    action: 'initial',
    startedAtMs: NOW_MS - 100,
    backoffMs: 0,
    trial: false,
    headersAtMs: null,
    firstOutputAtMs: null,
    endedAtMs: NOW_MS,
    status: null,
    upstreamRequestId: null,
    usage: NO_USAGE,
    costPico: null,
    ignoredParams: [],
    ...given,
  };
}

export function failedAt({ route }: PlannedRoute, fault: Partial<Fault> = {}): Attempt {
  return anAttempt({ route, outcome: { kind: 'failed', fault: aFault(fault) } });
}

/** A minute is left, nothing stands against any route, and the draw moves no delay. */
export function aSituation(given: Partial<Situation> & Readonly<{ plan: Plan }>): Situation {
  return {
    ledger: [],
    budget: { openedAtMs: NOW_MS, deadlineAtMs: NOW_MS + 60_000, minAttemptMs: 1_000 },
    replaySafety: 'until_output',
    conditions: conditions({}, NOW_MS),
    draw: 0.5,
    ...given,
  };
}

/** A next action in one line, to be compared by eye. */
export function told(action: NextAction): string {
  if (action.kind === 'stop') return `stop ${action.state} ${action.error?.code ?? '-'}`;
  const trial = action.trial ? ' as trial' : '';
  return `${action.action} ${action.candidate.route.id} after ${action.delayMs}${trial}`;
}
