import type { Usage } from '../interaction/usage';
import type { JsonObject } from '../kernel/json';
import type { Signal } from '../resilience/signal';

/**
 * One unit of a provider's stream, already in the caller's wire format. An adapter ends every stream with exactly one
 * `end` or `failure`; comments, pings and junk events of the provider never become frames.
 */
export type Frame = ChunkFrame | EndFrame | FailureFrame;

/** A `chat.completion.chunk`. */
export type ChunkFrame = Readonly<{
  kind: 'chunk';
  /** Decisive: it says something to the caller, or ends the answer with a reason (FAILURES §4). */
  weight: 'decisive' | 'neutral';
  chunk: JsonObject;
  /** The JSON text of `chunk`, relayed unchanged where nothing has to be touched. */
  text: string;
  /** Content, reasoning, refusal and tool argument characters that it adds. */
  outputChars: number;
  finishReason: string | null;
  /** Usage as reported so far, if this chunk reports any: cumulative, see `mergeUsage`. */
  usage: Usage | null;
  /** Provider-side tools have started: from here on a replay could repeat their effects. */
  sideEffects: boolean;
}>;

/** The answer is complete: the terminator came, or every choice has its finish reason. */
export type EndFrame = Readonly<{ kind: 'end' }>;

/** The stream broke: an error frame, a reset, garbage, or an end without a terminal event. */
export type FailureFrame = Readonly<{ kind: 'failure'; signal: Signal }>;
