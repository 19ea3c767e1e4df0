import type { Route } from '../../src/domain/catalog/route';
import type { OfferingId } from '../../src/domain/kernel/ids';
import type { Signal } from '../../src/domain/resilience/signal';
import type { Frame } from '../../src/domain/stream/frame';
import type {
  ChatProvider,
  ChatProviders,
  ProviderCall,
  ProviderReply,
  ReplyHead,
  WholeOutcome,
} from '../../src/usecase/port/chat-provider';
import type { FakeClock } from './fake-clock';

/**
 * Frames that arrive together; none: only bytes arrive, such as a ping. `inFlight`: they were under way already and
 * come even if the call is ended while they are waited for.
 */
export type ScriptedGroup = Readonly<{ afterMs: number; frames: readonly Frame[]; inFlight?: boolean }>;

/** What the provider does with one call. `Infinity` as a delay: never, until the call is aborted. */
export type Behaviour =
  | Readonly<{ kind: 'fails'; afterMs: number; signal: Signal; status: number | null }>
  | Readonly<{ kind: 'answers'; headersAfterMs: number; bodyAfterMs: number; outcome: WholeOutcome }>
  /** `then`: what happens after the last group, unless that one ends the stream. */
  | Readonly<{
      kind: 'streams';
      headersAfterMs: number;
      groups: readonly ScriptedGroup[];
      then: 'silence' | 'nothing' | 'defect';
    }>
  /** A bug of an adapter: it throws where the port says that it never does. */
  | Readonly<{ kind: 'throws'; where: 'send' | 'read'; afterMs: number }>;

export type RecordedCall = {
  readonly route: OfferingId;
  readonly correlationId: string;
  readonly startedAtMs: number;
  /** Null while the call runs. */
  endedAtMs: number | null;
  /** When we ended it; null: we didn't. */
  abortedAtMs: number | null;
  /** It was made although it was over already. */
  readonly madeAfterAbort: boolean;
};

/** What a transport would say of a call that we cut. Our own flag must win over it. */
const CUT: Signal = { kind: 'network', code: 'UND_ERR_ABORTED' };
const BROKEN: readonly Frame[] = [{ kind: 'failure', signal: CUT }];

/** Providers that do what a script says, in virtual time. */
export class ScriptedProvider implements ChatProviders, ChatProvider {
  readonly calls: RecordedCall[] = [];

  constructor(
    private readonly clock: FakeClock,
    /** What happens to a call of a route; `nth` counts the calls of that route from 0. */
    private readonly behave: (route: OfferingId, nth: number) => Behaviour,
  ) {}

  at(_route: Route): ChatProvider {
    return this;
  }

  callsOf(route: OfferingId): readonly RecordedCall[] {
    return this.calls.filter((call) => call.route === route);
  }

  get running(): number {
    return this.calls.filter(({ endedAtMs }) => endedAtMs === null).length;
  }

  async send(call: ProviderCall): Promise<ProviderReply> {
    const behaviour = this.behave(call.route.id, this.callsOf(call.route.id).length);
    const record: RecordedCall = {
      route: call.route.id,
      correlationId: call.correlationId,
      startedAtMs: this.clock.nowMs(),
      endedAtMs: null,
      abortedAtMs: null,
      madeAfterAbort: call.abort.aborted,
    };
    this.calls.push(record);
    const onAbort = (): void => {
      if (record.endedAtMs === null) record.abortedAtMs = this.clock.nowMs();
    };
    call.abort.addEventListener('abort', onAbort, { once: true });
    return this.reply(behaviour, call, record);
  }

  private async reply(
    behaviour: Behaviour,
    call: ProviderCall,
    record: RecordedCall,
  ): Promise<ProviderReply> {
    const over = (head: ReplyHead | null, signal: Signal): ProviderReply => {
      record.endedAtMs = this.clock.nowMs();
      return { kind: 'failed', head, signal, ignoredParams: [] };
    };
    const { headersAfterMs, status } = beginningOf(behaviour);
    if ((await this.wait(headersAfterMs, call.abort)) === 'aborted') return over(null, CUT);
    const head = status === null ? null : { status, upstreamRequestId: `up-${call.correlationId}` };
    switch (behaviour.kind) {
      case 'fails':
        return over(head, behaviour.signal);
      case 'throws':
        if (behaviour.where === 'read') return this.unreadable(call, record);
        record.endedAtMs = this.clock.nowMs();
        throw new Error('a bug of the adapter');
      case 'answers': {
        const read = async (): Promise<WholeOutcome> => {
          const woke = await this.wait(behaviour.bodyAfterMs, call.abort);
          record.endedAtMs = this.clock.nowMs();
          return woke === 'aborted' ? { kind: 'failed', signal: CUT } : behaviour.outcome;
        };
        return { kind: 'whole', head: headOf(call), ignoredParams: [], read };
      }
      case 'streams':
        return {
          kind: 'stream',
          head: headOf(call),
          ignoredParams: [],
          frames: this.frames(behaviour, call, record),
        };
    }
  }

  private unreadable(call: ProviderCall, record: RecordedCall): ProviderReply {
    const read = (): Promise<WholeOutcome> => {
      record.endedAtMs = this.clock.nowMs();
      return Promise.reject(new Error('a bug of the adapter'));
    };
    return { kind: 'whole', head: headOf(call), ignoredParams: [], read };
  }

  private async *frames(
    { groups, then }: Extract<Behaviour, { kind: 'streams' }>,
    call: ProviderCall,
    record: RecordedCall,
  ): AsyncGenerator<readonly Frame[]> {
    try {
      for (const { afterMs, frames, inFlight } of groups) {
        if ((await this.wait(afterMs, call.abort)) === 'aborted') {
          yield* inFlight ? [frames, BROKEN] : [BROKEN];
          return;
        }
        call.onActivity();
        if (frames.length > 0) yield frames;
      }
      if (then === 'defect') throw new Error('a bug of the adapter');
      if (then === 'silence') {
        await this.wait(Infinity, call.abort);
        yield BROKEN;
      }
    } finally {
      record.endedAtMs = this.clock.nowMs();
    }
  }

  private wait(delayMs: number, abort: AbortSignal): Promise<'woke' | 'aborted'> {
    if (delayMs < Infinity) return this.clock.sleep(delayMs, abort);
    return new Promise((resolve) => {
      if (abort.aborted) resolve('aborted');
      abort.addEventListener('abort', () => resolve('aborted'), { once: true });
    });
  }
}

function beginningOf(behaviour: Behaviour): Readonly<{ headersAfterMs: number; status: number | null }> {
  switch (behaviour.kind) {
    case 'fails':
      return { headersAfterMs: behaviour.afterMs, status: behaviour.status };
    case 'throws':
      return { headersAfterMs: behaviour.afterMs, status: null };
    case 'answers':
    case 'streams':
      return { headersAfterMs: behaviour.headersAfterMs, status: 200 };
  }
}

function headOf(call: ProviderCall): ReplyHead {
  return { status: 200, upstreamRequestId: `up-${call.correlationId}` };
}
