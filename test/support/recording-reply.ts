import type { ChatAnswer } from '../../src/domain/chat/chat-answer';
import type { GatewayError } from '../../src/domain/error/gateway-error';
import type { Ledger } from '../../src/domain/interaction/ledger';
import type { ServedFacts } from '../../src/domain/interaction/served-facts';
import type { RequestId } from '../../src/domain/kernel/ids';
import type { ChunkFrame } from '../../src/domain/stream/frame';
import type { Reply, ReplyEnding, SentAnswer, WriteProgress } from '../../src/usecase/port/reply';
import type { FakeClock } from './fake-clock';

export type ReplyEvent =
  | Readonly<{ kind: 'open'; atMs: number }>
  | Readonly<{ kind: 'write'; atMs: number; text: string; facts: ServedFacts }>
  | Readonly<{ kind: 'answer'; atMs: number; answer: ChatAnswer; facts: ServedFacts }>
  | Readonly<{ kind: 'end'; atMs: number; facts: ServedFacts }>
  | Readonly<{ kind: 'fail'; atMs: number; error: GatewayError; attempts: number }>
  | Readonly<{ kind: 'repeat'; atMs: number; answer: SentAnswer; requestId: RequestId }>
  | Readonly<{ kind: 'abandon'; atMs: number }>;

/** How long the caller needs to take what was written, milliseconds; `Infinity`: it never does. 0: no time at all. */
export type DrainMs = (nthWrite: number) => number;

const ENDINGS: readonly ReplyEvent['kind'][] = ['answer', 'end', 'fail', 'repeat', 'abandon'];

/** A caller that remembers what it got, and can leave or be slow. Times count from its first moment. */
export class RecordingReply implements Reply {
  readonly events: ReplyEvent[] = [];
  /** Frames that were written for nobody. */
  writesAfterLeaving = 0;
  /** `nothing`: every answer is too large. */
  keeps: 'everything' | 'nothing' = 'everything';
  private readonly gone = new AbortController();
  private readonly fromMs: number;

  constructor(
    private readonly clock: FakeClock,
    private readonly drainMs: DrainMs = () => 0,
  ) {
    this.fromMs = clock.nowMs();
  }

  get callerGone(): AbortSignal {
    return this.gone.signal;
  }

  leave(): void {
    this.gone.abort();
  }

  leaveAfter(delayMs: number): void {
    this.clock.start(delayMs, () => this.leave());
  }

  open(): void {
    const begun = this.events.some(({ kind }) => kind === 'open' || kind === 'write');
    if (!begun) this.events.push({ kind: 'open', atMs: this.sinceMs() });
  }

  write(frames: readonly ChunkFrame[], facts: ServedFacts): WriteProgress {
    const nth = this.events.filter(({ kind }) => kind === 'write').length;
    const text = frames.map((frame) => frame.text).join('');
    if (this.gone.signal.aborted) this.writesAfterLeaving += 1;
    this.events.push({ kind: 'write', atMs: this.sinceMs(), text, facts });
    const drainMs = this.drainMs(nth);
    if (drainMs === 0) return 'flowing';
    return { drained: this.drained(drainMs) };
  }

  answer(answer: ChatAnswer, facts: ServedFacts): void {
    this.events.push({ kind: 'answer', atMs: this.sinceMs(), answer, facts });
  }

  end(facts: ServedFacts): void {
    this.events.push({ kind: 'end', atMs: this.sinceMs(), facts });
  }

  fail(error: GatewayError, attempts: Ledger): void {
    this.events.push({ kind: 'fail', atMs: this.sinceMs(), error, attempts: attempts.length });
  }

  /** Kept as JSON of the ending, which says everything that a test can ask of it. */
  transcript(ending: ReplyEnding): SentAnswer | null {
    if (this.keeps === 'nothing') return null;
    return { status: 200, headers: {}, body: this.text + JSON.stringify(ending) };
  }

  repeat(answer: SentAnswer, requestId: RequestId): void {
    this.events.push({ kind: 'repeat', atMs: this.sinceMs(), answer, requestId });
  }

  abandon(): void {
    this.events.push({ kind: 'abandon', atMs: this.sinceMs() });
  }

  /** Everything that was written, in order. */
  get text(): string {
    return this.events.map((event) => (event.kind === 'write' ? event.text : '')).join('');
  }

  get kinds(): readonly ReplyEvent['kind'][] {
    return this.events.map(({ kind }) => kind);
  }

  /** Everything that ends a reply: exactly one event, unless something is wrong. */
  get endings(): readonly ReplyEvent[] {
    return this.events.filter(({ kind }) => ENDINGS.includes(kind));
  }

  /** The error that the caller got; undefined: none. */
  get error(): GatewayError | undefined {
    return this.events.flatMap((event) => (event.kind === 'fail' ? [event.error] : []))[0];
  }

  /** What the answer said of itself at its end; undefined: there was no answer. */
  get facts(): ServedFacts | undefined {
    return this.events.flatMap((event) =>
      event.kind === 'end' || event.kind === 'answer' ? [event.facts] : [],
    )[0];
  }

  /** A caller who leaves takes nothing any more, but what waits for him goes on. */
  private drained(drainMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (drainMs < Infinity) this.clock.start(drainMs, resolve);
      this.gone.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private sinceMs(): number {
    return this.clock.nowMs() - this.fromMs;
  }
}
