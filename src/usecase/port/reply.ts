import type { ChatAnswer } from '../../domain/chat/chat-answer';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { Ledger } from '../../domain/interaction/ledger';
import type { ServedFacts } from '../../domain/interaction/served-facts';
import type { RequestId } from '../../domain/kernel/ids';
import type { ChunkFrame } from '../../domain/stream/frame';

/** The caller's end of one interaction. Exactly one of `answer`, `end`, `fail`, `repeat` and `abandon` ends it. */
export interface Reply {
  /** Aborted as soon as the caller has left. */
  readonly callerGone: AbortSignal;
  /**
   * Opens a stream's response: status and headers go out without naming a provider, and comments keep the connection
   * alive from then on. Still nothing has been said, so another route may answer. Opening twice is opening once.
   */
  open(): void;
  /** Writes frames of the attempt that `facts` describes; the first call is the commit boundary. */
  write(frames: readonly ChunkFrame[], facts: ServedFacts): WriteProgress;
  /** A whole answer. */
  answer(answer: ChatAnswer, facts: ServedFacts): void;
  /** The proper end of a stream. */
  end(facts: ServedFacts): void;
  /** A final error: a status and a body, or an error event once the response is open. */
  fail(error: GatewayError, attempts: Ledger): void;
  /** What the caller will have got after this ending; null: it can't be kept. */
  transcript(ending: ReplyEnding): SentAnswer | null;
  /** Sends what the caller of an earlier interaction got. */
  repeat(answer: SentAnswer, requestId: RequestId): void;
  /** Cuts the connection without a word: the caller has left, or takes nothing, which holds as much. */
  abandon(): void;
}

/** A call of `answer`, `end` or `fail` that is to come. */
export type ReplyEnding =
  | Readonly<{ kind: 'answer'; answer: ChatAnswer; facts: ServedFacts }>
  | Readonly<{ kind: 'end'; facts: ServedFacts }>
  | Readonly<{ kind: 'fail'; error: GatewayError; attempts: Ledger }>;

/** A response as its caller got it: of its headers those that say something of the answer. */
export type SentAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** What was written of an answer for its caller: all of it, or as far as it went. */
export type WrittenAnswer = Readonly<{
  status: number;
  text: string;
  /** Of the whole, in UTF-16 units: `text` lacks its end where that was too much. */
  characters: number;
}>;

/** `flowing`: go on. Otherwise wait for `drained` first; a caller who doesn't read must slow the provider down. */
export type WriteProgress = 'flowing' | Readonly<{ drained: Promise<void> }>;
