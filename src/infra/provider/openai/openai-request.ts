import type { ChatRequest } from '../../../domain/chat/chat-request';
import type { JsonObject } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/**
 * The caller's body as this route is sent it (WIRE §1.1): the upstream's model name, and a usage report for every stream,
 * since we bill by it. Everything else passes by reference, unknown fields included: they are data, never options.
 */
export function upstreamBody(request: ChatRequest, upstreamName: string): JsonObject {
  const body: JsonObject = { ...request.body, model: upstreamName };
  if (!request.stream) return body;
  const options = isJsonObject(body.stream_options) ? body.stream_options : {};
  return { ...body, stream_options: { ...options, include_usage: true } };
}

/** How many choices the caller asked for. */
export function choiceCount({ body }: ChatRequest): number {
  return typeof body.n === 'number' && Number.isInteger(body.n) && body.n > 0 ? body.n : 1;
}
