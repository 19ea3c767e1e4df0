import type { ChatAnswer } from '../../src/domain/chat/chat-answer';
import type { FailoverFacts, ServedFacts } from '../../src/domain/interaction/served-facts';
import { NO_USAGE } from '../../src/domain/interaction/usage';
import type { JsonObject } from '../../src/domain/kernel/json';
import type { ChunkFrame } from '../../src/domain/stream/frame';

/** An answer of the primary, at the first attempt. */
export function someFacts(given: Partial<ServedFacts> = {}): ServedFacts {
  return {
    requestedModel: 'gpt-s',
    provider: 'openai',
    model: 'gpt-s',
    attempts: 1,
    failover: null,
    ignoredParams: [],
    responseModel: 'annotated',
    ...given,
  };
}

/** From gpt-s at openai to claude-s at anthropic. */
export const MODEL_FALLBACK: FailoverFacts = {
  reason: 'primary_provider_5xx',
  fromProvider: 'openai',
  fromModel: 'gpt-s',
  toProvider: 'anthropic',
  toModel: 'claude-s',
  costMultiplier: 3.75,
};

export const FALLEN_BACK = someFacts({
  provider: 'anthropic',
  model: 'claude-s',
  attempts: 3,
  failover: MODEL_FALLBACK,
});

/** The frame of a chunk that came as this JSON text. */
export function aFrame(text: string, given: Partial<ChunkFrame> = {}): ChunkFrame {
  const chunk = JSON.parse(text) as JsonObject;
  return {
    kind: 'chunk',
    weight: 'decisive',
    chunk,
    text,
    outputChars: 1,
    finishReason: null,
    usage: null,
    sideEffects: false,
    ...given,
  };
}

/** The answer that came as this JSON text. */
export function anAnswer(text: string, given: Partial<ChatAnswer> = {}): ChatAnswer {
  const body = JSON.parse(text) as JsonObject;
  return { body, text, finishReason: 'stop', usage: NO_USAGE, outputChars: 1, ...given };
}
