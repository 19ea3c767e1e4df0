import type { JsonObject, JsonValue } from './json-value';

/**
 * What a simulated provider does with one call. A plain JSON value, so that tests, drills and the sandbox's
 * fault switch can write it down, store it and send it.
 */
export type Behaviour =
  AnswerBehaviour | StatusBehaviour | HangBehaviour | ResetBehaviour | GarbageBehaviour | RawBehaviour;

/** Response headers on top of the provider's usual ones; a list sends the header several times. */
export type ExtraHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * A place in an answer: `headers` = status and headers are out, no body byte; `preamble` = the role chunk, or message_start
 * and ping; a number n = n output chunks are out (0: blocks are open, nothing was said). Past the end means after the last output.
 */
export type AnswerPoint = 'headers' | 'preamble' | number;

/** An answer: made up from the request where nothing is scripted, exactly as scripted where something is. */
export type AnswerBehaviour = Readonly<{
  kind: 'answer';
  text?: string;
  /** The pieces in which the text is streamed (default: word by word). Without `text`, they are the text. */
  chunks?: readonly string[];
  /** OpenAI wire: `reasoning_content`, as its dialects do; Anthropic wire: a signed thinking block. */
  reasoning?: string;
  refusal?: string;
  toolCalls?: readonly ScriptedToolCall[];
  /** In the words of the wire, unchecked; null sends null. */
  finishReason?: string | null;
  /** Replaces single counters; null leaves usage out altogether. */
  usage?: ScriptedUsage | null;
  /** The model name in the answer (default: the requested one). */
  model?: string;
  headers?: ExtraHeaders;
  /** Wait before the headers. */
  delayMs?: number;
  /** Wait before each output chunk of a stream (default: the provider's). */
  chunkDelayMs?: number;
  /** Stays there until the test calls `release()`. */
  holdAt?: 'before_headers' | AnswerPoint;
  interruption?: Interruption;
}>;

export type ScriptedToolCall = Readonly<{
  name: string;
  id?: string;
  /** An object is sent as its JSON; a string is sent as it is, broken JSON included (OpenAI wire and streams). */
  arguments?: JsonObject | string;
}>;

/** Disjoint buckets: the whole prompt is input + cacheRead + cacheWrite. Output includes reasoning. */
export type ScriptedUsage = Partial<TokenUsage>;

export type TokenUsage = Readonly<{
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
}>;

/**
 * How an answer breaks off. `error`: an error frame, then the end. `reset`: TCP reset (bytes
 * that the caller hasn't read are lost with it; `close` loses none). `close`: the socket closes inside
 * the body. `end`: the body ends cleanly, as if all had been said. `stall`: silence, socket open. `pings`: keep-alives for ever.
 * Without streaming the body is cut in half; `error` then comes as the status of that error, since no header is out yet.
 */
export type Interruption = Readonly<{
  after: AnswerPoint;
  by: 'error' | 'reset' | 'close' | 'end' | 'stall' | 'pings';
  /** The data of the error frame (default: the wire's own overload error). */
  error?: JsonObject;
  /** Time between two pings (default 100 ms). */
  pingIntervalMs?: number;
}>;

/** An error status. Without a body, the one that this provider really sends with this status. */
export type StatusBehaviour = Readonly<{
  kind: 'status';
  status: number;
  /** A string is sent as it is (HTML, or nothing); anything else as JSON. */
  body?: JsonValue;
  headers?: ExtraHeaders;
  delayMs?: number;
  holdAt?: 'before_headers';
}>;

/** Never answers; the call ends when the caller, or `stop()`, closes the socket. */
export type HangBehaviour = Readonly<{ kind: 'hang' }>;

/** TCP reset before any response byte. */
export type ResetBehaviour = Readonly<{ kind: 'reset'; delayMs?: number }>;

/** A 200 that isn't an answer. */
export type GarbageBehaviour = Readonly<{ kind: 'garbage'; form: GarbageForm; delayMs?: number }>;

export type GarbageForm = 'html' | 'half_json' | 'non_json_event' | 'empty' | 'comments_only' | 'done_only';

/** Bytes to the letter: recorded traffic, cut anywhere. */
export type RawBehaviour = Readonly<{
  kind: 'raw';
  status?: number;
  headers?: ExtraHeaders;
  /** Each piece is one write, the next one follows in a later turn of the event loop at the earliest. */
  pieces: readonly RawPiece[];
  pauseMs?: number;
  /** What follows the last piece (default `end`). */
  then?: 'end' | 'stall' | 'reset' | 'close';
  delayMs?: number;
}>;

export type RawPiece = string | Readonly<{ base64: string }>;

/** Cuts bytes at the offsets (ascending) into pieces for a raw behaviour; a cut inside a character is fine. */
export function cutBytes(bytes: Uint8Array, ...offsets: readonly number[]): RawPiece[] {
  const edges = [0, ...offsets, bytes.length];
  return edges
    .slice(1)
    .map((end, index) => ({ base64: Buffer.from(bytes.subarray(edges[index], end)).toString('base64') }));
}
