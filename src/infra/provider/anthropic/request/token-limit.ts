import type { JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { gate, given, reject, type Scope, type Translated } from './translation';

/** Anthropic requires `max_tokens`; every Claude model can give so many, so it's safe where the catalog names no limit. */
export const FALLBACK_MAX_TOKENS = 4_096;

/** Output limit of the request: `max_completion_tokens`, else the deprecated `max_tokens`, else what the model can give. */
export function maxTokensOf(body: JsonObject, { contract }: Scope): Translated<number> {
  const param = given(body, 'max_completion_tokens') === undefined ? 'max_tokens' : 'max_completion_tokens';
  const wanted = given(body, param);
  if (wanted === undefined) return ok(contract.maxOutputTokens ?? FALLBACK_MAX_TOKENS);
  if (typeof wanted !== 'number' || !Number.isSafeInteger(wanted) || wanted < 1) {
    return reject(param, 'must be a whole number of at least 1');
  }
  const limit = contract.maxOutputTokens;
  // Clamping would turn a promise into `finish_reason: length`.
  if (limit !== null && wanted > limit)
    return gate(param, `is ${wanted}, but this model gives at most ${limit} tokens`);
  return ok(wanted);
}
