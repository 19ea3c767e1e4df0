import type { ModelContract, ThinkingKind } from '../../../../domain/catalog/model-contract';
import type { JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import type { Conversation } from './conversation';
import { given, reject, type Scope, type Translated } from './translation';

/** What else in the request decides whether the model may think. */
export type ThinkingPlace = Readonly<{
  maxTokens: number;
  isForced: boolean;
  ending: Conversation['ending'];
}>;

export type Reasoning = Readonly<{ thinking?: JsonObject; effort?: string }>;

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
type Effort = (typeof EFFORTS)[number];
type RealEffort = Exclude<Effort, 'none'>;

/** Anthropic's words from strong to weak; a level that the model lacks becomes the next weaker one. */
const LEVELS = ['max', 'xhigh', 'high', 'medium', 'low'];
const LEVEL_OF: Readonly<Record<RealEffort, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
};

/** Thinking tokens of models that want a number (WIRE §7.1). */
const BUDGET_OF: Readonly<Record<RealEffort, number>> = {
  minimal: 2_048,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_000,
};
/** Anthropic's minimum, and what is left for the answer where the budget has to shrink. */
const MIN_BUDGET = 1_024;

export function reasoningOf(body: JsonObject, place: ThinkingPlace, scope: Scope): Translated<Reasoning> {
  const effort = given(body, 'reasoning_effort');
  if (effort === undefined) return ok({});
  if (!isEffort(effort)) return reject('reasoning_effort', `must be one of ${EFFORTS.join(', ')}`);
  return ok(REASONING[scope.contract.thinking](effort, place, scope));
}

function isEffort(value: unknown): value is Effort {
  return EFFORTS.some((effort) => effort === value);
}

type ReasoningRule = (effort: Effort, place: ThinkingPlace, scope: Scope) => Reasoning;

/** One row per thinking kind: the columns of the table in WIRE §7.1. */
const REASONING: Readonly<Record<ThinkingKind, ReasoningRule>> = {
  none: (effort, _, scope) => (effort === 'none' ? {} : atLevel(effort, scope)),
  manual: (effort, place, scope) => (effort === 'none' ? {} : withBudget(effort, place, scope)),
  adaptive_off: (effort, _, scope) =>
    effort === 'none' ? {} : { thinking: { type: 'adaptive' }, ...atLevel(effort, scope) },
  adaptive_on: (effort, _, scope) =>
    effort === 'none' ? { thinking: { type: 'disabled' } } : atLevel(effort, scope),
  always: (effort, _, scope) => {
    if (effort !== 'none') return atLevel(effort, scope);
    scope.note('reasoning_effort');
    return atLevel('low', scope);
  },
};

function atLevel(effort: RealEffort, { contract, note }: Scope): Reasoning {
  const wanted = LEVEL_OF[effort];
  const level = levelAtMost(wanted, contract);
  if (level !== wanted) note('reasoning_effort');
  return level === undefined ? {} : { effort: level };
}

function levelAtMost(wanted: string, { effortLevels }: ModelContract): string | undefined {
  return LEVELS.slice(LEVELS.indexOf(wanted)).find((level) => effortLevels.includes(level));
}

/**
 * Manual thinking rules out a forced tool choice and a prefill, and inside a tool loop it wants the signed thinking of the
 * turn before, which a Chat Completions history doesn't hold. Then the model answers without thinking.
 */
function withBudget(
  effort: RealEffort,
  { maxTokens, isForced, ending }: ThinkingPlace,
  { note }: Scope,
): Reasoning {
  const budget = BUDGET_OF[effort] < maxTokens ? BUDGET_OF[effort] : maxTokens - MIN_BUDGET;
  if (isForced || ending !== 'user' || budget < MIN_BUDGET) {
    note('reasoning_effort');
    return {};
  }
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}
