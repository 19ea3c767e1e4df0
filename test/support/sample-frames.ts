import type { ChatAnswer } from '../../src/domain/chat/chat-answer';
import { NO_USAGE } from '../../src/domain/interaction/usage';
import type { Usage } from '../../src/domain/interaction/usage';
import { NO_HINTS } from '../../src/domain/resilience/signal';
import type { RetryHints, Signal } from '../../src/domain/resilience/signal';
import type { ChunkFrame, EndFrame, FailureFrame } from '../../src/domain/stream/frame';

/** A frame that says something. */
export function aChunk(content: string, given: Partial<ChunkFrame> = {}): ChunkFrame {
  return {
    kind: 'chunk',
    weight: 'decisive',
    chunk: { content },
    text: content,
    outputChars: content.length,
    finishReason: null,
    usage: null,
    sideEffects: false,
    ...given,
  };
}

/** A frame that says nothing yet: a role, an empty delta. */
export function aPreamble(text = 'role'): ChunkFrame {
  return aChunk('', { weight: 'neutral', chunk: { role: 'assistant' }, text });
}

export function aFinish(finishReason = 'stop'): ChunkFrame {
  return aChunk('', { chunk: { finish_reason: finishReason }, text: `<${finishReason}>`, finishReason });
}

export const END: EndFrame = { kind: 'end' };

export function aFailure(signal: Signal): FailureFrame {
  return { kind: 'failure', signal };
}

/** Counted by the provider. */
export function aUsage(inputTokens: number, outputTokens: number, given: Partial<Usage> = {}): Usage {
  return { ...NO_USAGE, inputTokens, outputTokens, source: 'provider', ...given };
}

export function anAnswer(content = 'hello', given: Partial<ChatAnswer> = {}): ChatAnswer {
  return {
    body: { content },
    text: null,
    finishReason: 'stop',
    usage: aUsage(10, 2),
    outputChars: content.length,
    ...given,
  };
}

/** The provider said that it failed. */
export function aStatus(status: number, hints: Partial<RetryHints> = {}): Signal {
  return { kind: 'provider_error', status, body: null, hints: { ...NO_HINTS, ...hints } };
}
