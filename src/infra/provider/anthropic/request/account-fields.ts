import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { given, reject, type Scope, type Translated } from './translation';

/** Anthropic asks for opaque ids without personal data, so the caller's own id never leaves. */
export function userIdOf(body: JsonObject, { hashUser }: Scope): Translated<string | undefined> {
  const param = given(body, 'safety_identifier') === undefined ? 'user' : 'safety_identifier';
  const user = given(body, param);
  if (user === undefined || user === '') return ok(undefined);
  return typeof user === 'string' ? ok(hashUser(user)) : reject(param, 'must be a string');
}

/** Whether the tier means the same on both wires; one that doesn't is noted. */
const TIERS: Readonly<
  Record<string, Readonly<{ tier: 'auto' | 'standard_only'; fits: 'exactly' | 'nearly' }>>
> = {
  auto: { tier: 'auto', fits: 'exactly' },
  default: { tier: 'standard_only', fits: 'exactly' },
  priority: { tier: 'auto', fits: 'nearly' },
  scale: { tier: 'auto', fits: 'nearly' },
  fast: { tier: 'auto', fits: 'nearly' },
  // The discount is lost: the price is the standard one.
  flex: { tier: 'standard_only', fits: 'nearly' },
};

export function serviceTierOf(body: JsonObject, scope: Scope): 'auto' | 'standard_only' | undefined {
  const wanted: JsonValue | undefined = given(body, 'service_tier');
  if (wanted === undefined) return undefined;
  const row = typeof wanted === 'string' && Object.hasOwn(TIERS, wanted) ? TIERS[wanted] : undefined;
  if (row?.fits !== 'exactly') scope.note('service_tier');
  return row?.tier;
}
