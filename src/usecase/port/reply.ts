import type { ChatAnswer } from '../../domain/chat/chat-answer';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { Ledger } from '../../domain/interaction/ledger';
import type { ServedFacts } from '../../domain/interaction/served-facts';
import type { ChunkFrame } from '../../domain/stream/frame';

/** The caller's end of one interaction. Exactly one of `answer`, `end`, `fail` and `abandon` ends it. */
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
  /** Cuts the connection without a word: the caller has left, or takes nothing, which holds as much. */
  abandon(): void;
}

/** `flowing`: go on. Otherwise wait for `drained` first; a caller who doesn't read must slow the provider down. */
export type WriteProgress = 'flowing' | Readonly<{ drained: Promise<void> }>;
