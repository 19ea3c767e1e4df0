import type { InvalidRequest } from '../../../../domain/error/gateway-error';
import type { SupposedHealth } from '../../../../domain/health/supposed-health';
import { isJsonObject } from '../../../../domain/kernel/json';
import { err, ok, type Result } from '../../../../domain/kernel/result';
import type { Question, Suppositions } from '../../../../usecase/routing/explanation';
import { parseChatRequest } from '../../../chat/chat-request-parser';
import { invalidRequest, validatedBody } from '../../middleware/validated-body';
import { ExplainDto, healthKindOf, type HealthWord, type SupposedHealthDto } from './explain-dto';
import { policyInputOf } from './policy-document';

/** The breaker's own time, for who doesn't say how long. */
const DEFAULT_THROTTLE_MS = 60_000;

type AskedOf = Pick<Question, 'tenant' | 'policy'>;

/**
 * Reads a question. The sample request is left to the rules of the chat endpoint: the DTO would refuse fields there that
 * a caller may send.
 */
export function questionOf(of: AskedOf, body: unknown): Result<Question, InvalidRequest> {
  const sample = isJsonObject(body) ? body.request : undefined;
  const dto = validatedBody(ExplainDto, isJsonObject(sample) ? { ...(body as object), request: {} } : body);
  if (!dto.ok) return dto;
  const request = parseChatRequest(sample);
  if (!request.ok) {
    const { param, message } = request.error;
    const field = param === null ? 'request' : `request.${param}`;
    return err(invalidRequest([{ field, message }]));
  }
  const { health, policy, canary } = dto.value;
  return ok({
    ...of,
    request: request.value,
    ...keyOf(dto.value),
    supposing: suppositionsOf(health ?? {}),
    draft: policy == null ? null : policyInputOf(policy),
    side: canary === true ? 'canary' : 'ordinary',
  });
}

function keyOf({ key_groups, group_strategy }: ExplainDto): Pick<Question, 'keyGroups' | 'groupStrategy'> {
  return { keyGroups: key_groups ?? [], groupStrategy: group_strategy ?? null };
}

function suppositionsOf({
  providers,
  channels,
  offerings,
  throttled_for_ms: forMs = DEFAULT_THROTTLE_MS,
}: SupposedHealthDto): Suppositions {
  const supposed = (words: Record<string, HealthWord> = {}): ReadonlyMap<string, SupposedHealth> =>
    new Map(Object.entries(words).map(([id, word]) => [id, suppositionOf(word, forMs)]));
  return { providers: supposed(providers), channels: supposed(channels), offerings: supposed(offerings) };
}

function suppositionOf(word: HealthWord, forMs: number): SupposedHealth {
  const kind = healthKindOf(word);
  return kind === 'throttled' ? { kind, forMs } : { kind };
}
