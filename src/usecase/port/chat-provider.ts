import type { Route } from '../../domain/catalog/route';
import type { ChatAnswer } from '../../domain/chat/chat-answer';
import type { ChatRequest } from '../../domain/chat/chat-request';
import type { TenantId } from '../../domain/kernel/ids';
import type { Signal } from '../../domain/resilience/signal';
import type { Frame } from '../../domain/stream/frame';
import type { StreamTally } from '../../domain/stream/stream-tally';

/** One adapter: it makes upstream calls over one wire. */
export interface ChatProvider {
  /**
   * Makes one upstream call and resolves when the response headers are there, or when the call has failed.
   * What a provider does is a value; it never rejects for it. It makes no retries of its own.
   */
  send(call: ProviderCall): Promise<ProviderReply>;
}

/** Finds the adapter for a route. */
export interface ChatProviders {
  at(route: Route): ChatProvider;
}

export type ProviderCall = Readonly<{
  request: ChatRequest;
  route: Route;
  tenant: TenantId;
  /** Request id and attempt number, for the provider's logs where it takes them. */
  correlationId: string;
  /** `reject`: what the route can't express is a refusal even where it would only be a hint. */
  unsupportedParams: 'ignore' | 'reject';
  /** Ends the call at once and closes its socket. */
  abort: AbortSignal;
  /** Called whenever bytes arrive after the headers, pings and comments included. */
  onActivity: () => void;
}>;

export type ProviderReply =
  | Readonly<{ kind: 'failed'; head: ReplyHead | null; signal: Signal; ignoredParams: readonly string[] }>
  | WholeReply
  | StreamReply;

/** The answer to an unstreamed request: its body is still to be read. */
export type WholeReply = Readonly<{
  kind: 'whole';
  head: ReplyHead;
  ignoredParams: readonly string[];
  /** Reads and understands the whole answer. Never rejects. */
  read(): Promise<WholeOutcome>;
}>;

export type WholeOutcome =
  | Readonly<{ kind: 'answer'; answer: ChatAnswer }>
  /** `heard`: what had come of an answer before it failed, where that can be told; the provider bills it. */
  | Readonly<{ kind: 'failed'; signal: Signal; heard?: Heard }>;

export type Heard = Pick<StreamTally, 'usage' | 'outputChars'>;

/** The answer to a streamed request. */
export type StreamReply = Readonly<{
  kind: 'stream';
  head: ReplyHead;
  ignoredParams: readonly string[];
  /** Groups of frames as they arrived together; the last frame is `end` or `failure`. Never throws; returning early closes the socket. */
  frames: AsyncIterable<readonly Frame[]>;
}>;

export type ReplyHead = Readonly<{
  status: number;
  upstreamRequestId: string | null;
  /** A limit of our account is used up for so long, milliseconds from now; absent or null: the provider said nothing of it. */
  quotaWaitMs?: number | null;
}>;
