import type { SamplingSupport } from '../../../../domain/catalog/model-contract';
import type { JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { given, reject, type Scope, type Translated } from './translation';

type Sampling = Readonly<{ temperature?: number | undefined; top_p?: number | undefined }>;

/** While it thinks, a Claude model takes no temperature, and no top_p below this. */
const MIN_TOP_P_WHILE_THINKING = 0.95;
/** Models with `defaults_only` accept this as "the default" (WIRE §8). */
const MIN_DEFAULT_TOP_P = 0.99;
const MAX_TEMPERATURE = 1;

/** `temperature` and `top_p`, as far as the model has such controls (WIRE §2, §8). What is lost is noted. */
export function samplingOf(
  body: JsonObject,
  thinks: 'thinking' | 'not_thinking',
  scope: Scope,
): Translated<Sampling> {
  const temperature = numberIn(body, 'temperature', 2);
  if (!temperature.ok) return temperature;
  const topP = numberIn(body, 'top_p', 1);
  if (!topP.ok) return topP;
  const wanted = { temperature: temperature.value, top_p: topP.value };
  const support = scope.contract.sampling;
  return ok(thinks === 'thinking' ? whileThinking(wanted, support, scope) : SAMPLERS[support](wanted, scope));
}

function numberIn(body: JsonObject, param: string, max: number): Translated<number | undefined> {
  const value = given(body, param);
  if (value === undefined) return ok(undefined);
  if (typeof value !== 'number' || !(value >= 0 && value <= max)) {
    return reject(param, `must be a number from 0 to ${max}`);
  }
  return ok(value);
}

const SAMPLERS: Readonly<Record<SamplingSupport, (wanted: Sampling, scope: Scope) => Sampling>> = {
  any: capped,
  one_of_both: (wanted, scope) => {
    const { temperature, top_p } = capped(wanted, scope);
    if (temperature === undefined) return { top_p };
    if (top_p !== undefined && top_p !== 1) scope.note('top_p');
    return { temperature };
  },
  defaults_only: (wanted, scope) => nothingBut(wanted, MIN_DEFAULT_TOP_P, scope),
  none: (wanted, scope) => nothingBut(wanted, 1, scope),
};

function capped({ temperature, top_p }: Sampling, scope: Scope): Sampling {
  if (temperature === undefined || temperature <= MAX_TEMPERATURE) return { temperature, top_p };
  scope.note('temperature');
  return { temperature: MAX_TEMPERATURE, top_p };
}

/** The defaults mean nothing, so that nothing is lost with them. */
function nothingBut({ temperature, top_p }: Sampling, defaultTopP: number, scope: Scope): Sampling {
  if (temperature !== undefined && temperature !== 1) scope.note('temperature');
  if (top_p !== undefined && top_p < defaultTopP) scope.note('top_p');
  return {};
}

function whileThinking(wanted: Sampling, support: SamplingSupport, scope: Scope): Sampling {
  const takesTopP = support === 'any' || support === 'one_of_both';
  if (!takesTopP) return SAMPLERS[support](wanted, scope);
  const top_p =
    wanted.top_p !== undefined && wanted.top_p >= MIN_TOP_P_WHILE_THINKING ? wanted.top_p : undefined;
  nothingBut(top_p === undefined ? wanted : { temperature: wanted.temperature }, 1, scope);
  return { top_p };
}
