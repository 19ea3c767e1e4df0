import type { ChatAnswer } from '../../../domain/chat/chat-answer';
import { displayedModel, type ServedFacts } from '../../../domain/interaction/served-facts';
import type { JsonObject } from '../../../domain/kernel/json';
import type { ChunkFrame } from '../../../domain/stream/frame';
import { headerList, headerValue } from './header-value';
import { extensionOf } from './schneeai-extension';

/** The headers that say who answered. */
export function servedHeaders(facts: ServedFacts): Record<string, string> {
  const headers: Record<string, string> = {
    'x-schneeai-provider': headerValue(facts.provider),
    'x-schneeai-model': headerValue(facts.model),
    'x-schneeai-attempts': String(facts.attempts),
  };
  if (facts.failover !== null) headers['x-schneeai-fallback-reason'] = facts.failover.reason;
  if (facts.ignoredParams.length > 0) {
    headers['x-schneeai-ignored-params'] = headerList(facts.ignoredParams);
  }
  return headers;
}

/** A whole answer's body: the provider's own text where nothing has to change. */
export function presentAnswer(answer: ChatAnswer, facts: ServedFacts, requestId: string): string {
  const model = displayedModel(facts);
  const extension = extensionOf(facts);
  const untouched = answer.body.model === model && extension === null && !claimsToBeOurs(answer.body);
  if (untouched && answer.text !== null) return answer.text;
  const body = withoutOurMembers(answer.body);
  return JSON.stringify({
    ...body,
    model,
    ...(extension === null ? {} : { schneeai: extension, request_id: requestId }),
  });
}

/** Writes the chunks of one stream the way this caller asked for them. */
export class ChunkPresenter {
  private first = true;
  private readonly model: string;
  private readonly extension: JsonObject | null;
  /** The last usage reported, held back so that it is the last chunk. */
  private usage: JsonObject | null = null;

  constructor(
    facts: ServedFacts,
    private readonly caller: Readonly<{ requestId: string; includeUsage: boolean }>,
  ) {
    this.model = displayedModel(facts);
    const extension = extensionOf(facts);
    this.extension =
      extension === null ? null : ({ schneeai: extension, request_id: caller.requestId } as JsonObject);
  }

  /** The JSON text to send for a frame; null: nothing of it is for this caller, or not yet. */
  present(frame: ChunkFrame): string | null {
    const { chunk } = frame;
    if (isObject(chunk.usage)) {
      this.usage = chunk;
      if (isEmptyList(chunk.choices)) return null;
    }
    const annotated = this.extension !== null && (this.first || this.isLastForCaller(frame));
    this.first = false;
    if (!annotated && !this.needsTouch(chunk)) return frame.text;
    const { usage: _usage, ...rest } = withoutOurMembers(chunk);
    return JSON.stringify({
      ...rest,
      model: this.model,
      ...(this.caller.includeUsage ? { usage: null } : {}),
      ...(annotated ? this.extension : {}),
    });
  }

  /** The usage chunk, if the caller asked for one and the provider reported any. */
  usageChunk(): string | null {
    if (!this.caller.includeUsage || this.usage === null) return null;
    return JSON.stringify({
      ...withoutOurMembers(this.usage),
      model: this.model,
      choices: [],
      ...this.extension,
    });
  }

  private isLastForCaller(frame: ChunkFrame): boolean {
    return frame.finishReason !== null && !this.caller.includeUsage;
  }

  private needsTouch(chunk: JsonObject): boolean {
    if (chunk.model !== this.model || claimsToBeOurs(chunk)) return true;
    // WIRE §10.3: with a usage chunk to come, every other chunk says `usage: null`.
    return this.caller.includeUsage ? chunk.usage !== null : chunk.usage !== undefined;
  }
}

/** Only we may speak as `schneeai`, and only our request id is one (DESIGN §8). */
function claimsToBeOurs(body: JsonObject): boolean {
  return 'schneeai' in body || 'request_id' in body;
}

function withoutOurMembers(body: JsonObject): JsonObject {
  if (!claimsToBeOurs(body)) return body;
  const { schneeai: _schneeai, request_id: _requestId, ...rest } = body;
  return rest;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
