import type { Fault } from './fault';
import type { FaultClass, Stage } from './fault-class';

/** What may follow a fault (FAILURES §5). Gates, opt-ins and the budget can only narrow it. */
export type AllowedActions = Readonly<{
  retry: RetryRule;
  channelFallback: ChannelRule;
  modelFallback: ModelRule;
}>;

/** `once`: at most once per route. `backoff`, `after_wait`: as often as the policy says; the wait is ours, or the provider's. */
export type RetryRule = 'no' | 'once' | 'backoff' | 'after_wait';
/** `once`: once per interaction. `larger_contract`: only where more is recorded to be possible; anywhere for a 404. */
export type ChannelRule = 'no' | 'yes' | 'once' | 'larger_contract';
/**
 * `opted_in`: if the policy lists the fault. `once_opted_in`: also once per interaction. `larger_context`: if it lists
 * the context length and the offering holds more. `planned`: whatever the plan has next.
 */
export type ModelRule = 'no' | 'opted_in' | 'once_opted_in' | 'larger_context' | 'planned';

function can(retry: RetryRule, channelFallback: ChannelRule, modelFallback: ModelRule): AllowedActions {
  return { retry, channelFallback, modelFallback };
}

type Cells = Readonly<Record<Stage, AllowedActions>>;

function cells(
  beforeHeaders: AllowedActions,
  beforeOutput: AllowedActions,
  afterOutput: AllowedActions,
): Cells {
  return { before_headers: beforeHeaders, before_output: beforeOutput, after_output: afterOutput };
}

const NOTHING = can('no', 'no', 'no');
const ONLY_LARGER = can('no', 'larger_contract', 'larger_context');

/** The failure matrix: DESIGN §6, FAILURES §5. Cells: before headers, before output, after output. */
export const MATRIX: Readonly<Record<FaultClass, Cells>> = {
  caller: cells(NOTHING, NOTHING, NOTHING),
  contract: cells(ONLY_LARGER, ONLY_LARGER, NOTHING),
  credential: cells(can('no', 'yes', 'opted_in'), can('no', 'yes', 'opted_in'), NOTHING),
  rate_limited: cells(can('after_wait', 'yes', 'opted_in'), can('after_wait', 'yes', 'opted_in'), NOTHING),
  server_error: cells(can('backoff', 'yes', 'opted_in'), can('backoff', 'yes', 'opted_in'), NOTHING),
  timeout: cells(can('once', 'yes', 'opted_in'), can('once', 'yes', 'opted_in'), NOTHING),
  network: cells(can('once', 'yes', 'opted_in'), can('once', 'yes', 'opted_in'), NOTHING),
  malformed: cells(can('no', 'once', 'once_opted_in'), can('no', 'once', 'once_opted_in'), NOTHING),
  refusal: cells(NOTHING, NOTHING, NOTHING),
  cancelled: cells(NOTHING, NOTHING, NOTHING),
  partial: cells(NOTHING, NOTHING, NOTHING),
  ambiguous: cells(NOTHING, NOTHING, NOTHING),
  local: cells(can('no', 'yes', 'planned'), can('no', 'yes', 'planned'), NOTHING),
};

/** Codes that allow less than their class (FAILURES §3.1: a 409 conflict is retried once). */
const ONE_RETRY_CODES: readonly string[] = ['conflict_error'];

/** The cell of a fault, narrowed by what is known of it beyond its class. */
export function allowedActions(fault: Fault): AllowedActions {
  const cell = MATRIX[fault.class][fault.stage];
  if (!fault.retryable) return { ...cell, retry: 'no' };
  const once = cell.retry !== 'no' && fault.code !== null && ONE_RETRY_CODES.includes(fault.code);
  return once ? { ...cell, retry: 'once' } : cell;
}
