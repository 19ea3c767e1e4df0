import type { Route } from '../../../domain/catalog/route';
import type { ChatRequest } from '../../../domain/chat/chat-request';
import type { JsonObject } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import { inDialect } from './dialect';

export type UpstreamBody = Readonly<{
  body: JsonObject;
  /** What the upstream's dialect has no place for and was left out. */
  ignoredParams: readonly string[];
}>;

/**
 * The caller's body as this route is sent it (WIRE §1.1): the upstream's model name, a usage report for every stream, since
 * we bill by it, and what its dialect asks for. Everything else passes by reference, unknown fields included: they are
 * data, never options.
 */
export function upstreamBody(request: ChatRequest, { upstreamName, contract }: Route): UpstreamBody {
  const { body, ignoredParams } = inDialect(request.body, contract);
  const named: JsonObject = { ...body, model: upstreamName };
  if (!request.stream || contract.streamOptions === false) return { body: named, ignoredParams };
  const options = isJsonObject(body.stream_options) ? body.stream_options : {};
  return { body: { ...named, stream_options: { ...options, include_usage: true } }, ignoredParams };
}

/** How many choices the caller asked for. */
export function choiceCount({ body }: ChatRequest): number {
  return typeof body.n === 'number' && Number.isInteger(body.n) && body.n > 0 ? body.n : 1;
}
