import type { GatewayError } from '../error/gateway-error';
import type { Refusal, RefusalReason } from '../routing/refusal';
import { mismatchError } from './mismatch-error';
import { piiError } from './pii-error';
import { isOverCeilingEverywhere } from './route-search';
import type { RouteSearch } from './route-search';
import { shortestWaitMs } from './shortest-wait';
import type { Situation } from './situation';

/** Refusals that change with nothing that the caller or time can do: they leave the reason to the other routes. */
const FIXED: readonly RefusalReason[] = ['not_opted_in', 'tenant_excluded', 'data_residency', 'disabled'];
const BY_PACE: readonly RefusalReason[] = ['throttled', 'group_rpm'];

/** Why no provider was asked at all. */
export function unattemptedError(
  situation: Situation,
  search: RouteSearch,
  refusals: readonly Refusal[],
): GatewayError {
  if (search.found !== null) {
    return { code: 'provider_timeout', message: noTime(situation), refusals };
  }
  const details = search.refused
    .map(({ refusal }) => refusal.detail)
    .filter(({ reason }) => !FIXED.includes(reason));
  const mismatch = details.find((detail) => detail.reason === 'contract_mismatch');
  if (mismatch !== undefined && details.every(({ reason }) => reason === 'contract_mismatch')) {
    return mismatchError(mismatch.param, mismatch.message);
  }
  const forbidden = piiError(details, refusals);
  if (forbidden !== null) return forbidden;
  if (isOverCeilingEverywhere(search)) return { code: 'fallback_cost_ceiling', refusals };
  const onlyPace = details.length > 0 && details.every(({ reason }) => BY_PACE.includes(reason));
  const code = onlyPace ? 'rate_limit_exceeded' : 'no_eligible_route';
  return { code, retryAfterMs: shortestWaitMs(situation), refusals };
}

function noTime({ budget, conditions }: Situation): string {
  const leftMs = Math.max(0, budget.deadlineAtMs - conditions.nowMs);
  return `The deadline leaves ${leftMs} ms, and an attempt is not started with less than ${budget.minAttemptMs} ms (min_attempt_ms of the policy; the deadline is the smallest of the policy's, x-schneeai-timeout-ms and the gateway's).`;
}
