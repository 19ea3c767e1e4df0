import { needsOf } from '../../domain/catalog/contract';
import type { Route } from '../../domain/catalog/route';
import { attemptCost } from '../../domain/interaction/cost';
import type { Usage } from '../../domain/interaction/usage';
import type { JsonObject } from '../../domain/kernel/json';
import type { PicoUsd } from '../../domain/kernel/money';
import { classify } from '../../domain/resilience/fault';
import type { Fault } from '../../domain/resilience/fault';
import type { AbortCause, Signal } from '../../domain/resilience/signal';
import type { ChatProviders, ProviderReply, StreamReply } from '../port/chat-provider';
import type { Clock } from '../port/clock';
import type { Timer } from '../port/timer';
import type { Asking, CheckCall } from './check';
import { NOTHING_SPOKEN, spokenIn, spokenWith } from './spoken-answer';

export type CheckLineDeps = Readonly<{
  providers: ChatProviders;
  clock: Clock;
  timer: Timer;
  shutdown: AbortSignal;
}>;

/** What all calls of one verification share. */
export type CheckBounds = Readonly<{
  /** Begins the correlation id of every call. */
  id: string;
  /** When the last call has to be over. */
  endsAtMs: number;
}>;

/** Far more than a short answer takes: what doesn't come within it is no answer to these questions. */
const CALL_LIMIT_MS = 30_000;
/** Room for a word or a tool call, and for the thoughts of a model that thinks first. */
const ROOM_TOKENS = 512;
/** Refused requests that may be refused for the name of the limit only. */
const BAD_REQUEST: readonly (number | null)[] = [400, 422];

type LimitField = 'max_completion_tokens' | 'max_tokens';

/** The line to one offering: makes the calls of its checks one by one, within bounds, and counts what they cost. */
export class CheckLine implements Asking {
  calls = 0;
  /** Null: unknown, because a price or a usage is. */
  costPico: PicoUsd | null = 0;
  private limitField: LimitField = 'max_completion_tokens';
  private limitFieldIsKnown: boolean;
  /** The call after which no other makes sense: our account is at fault, or the time is over. */
  private last: CheckCall | null = null;

  constructor(
    private readonly deps: CheckLineDeps,
    private readonly route: Route,
    private readonly bounds: CheckBounds,
  ) {
    // Anthropic's field is ours to write, and a stated dialect is kept by the adapter.
    const { tokenLimitField = 'any' } = route.contract;
    this.limitFieldIsKnown = route.channel.kind === 'anthropic' || tokenLimitField !== 'any';
  }

  async ask(body: JsonObject, maxTokens: number = ROOM_TOKENS): Promise<CheckCall> {
    const room = Math.min(maxTokens, this.route.contract.maxOutputTokens ?? maxTokens);
    const call = await this.send({ ...body, [this.limitField]: room });
    if (call.kind === 'answered') this.limitFieldIsKnown = true;
    if (this.limitFieldIsKnown || !BAD_REQUEST.includes(call.status)) return call;
    // Many upstreams know the older name only, which is nothing that this check is about.
    const again = await this.send({ ...body, max_tokens: room });
    if (again.kind === 'failed') return call;
    this.limitField = 'max_tokens';
    this.limitFieldIsKnown = true;
    return again;
  }

  async send(body: JsonObject, upstreamName: string = this.route.upstreamName): Promise<CheckCall> {
    if (this.last !== null) return this.last;
    const call = await this.call(body, { ...this.route, upstreamName });
    const isOver = call.kind === 'failed' && (call.fault.class === 'credential' || this.timeIsOver());
    if (isOver) this.last = call;
    return call;
  }

  private timeIsOver(): boolean {
    return this.deps.shutdown.aborted || this.deps.clock.nowMs() >= this.bounds.endsAtMs;
  }

  private async call(body: JsonObject, route: Route): Promise<CheckCall> {
    const { clock, timer, shutdown } = this.deps;
    const abort = new AbortController();
    const onShutdown = (): void => abort.abort('shutdown' satisfies AbortCause);
    shutdown.addEventListener('abort', onShutdown, { once: true });
    const limitMs = Math.min(CALL_LIMIT_MS, this.bounds.endsAtMs - clock.nowMs());
    if (shutdown.aborted) onShutdown();
    if (limitMs <= 0) abort.abort('deadline' satisfies AbortCause);
    const cancel = timer.start(Math.max(0, limitMs), () => abort.abort('deadline' satisfies AbortCause));
    try {
      return abort.signal.aborted
        ? this.failed(null, abortedBy(abort.signal))
        : await this.exchange(body, route, abort.signal);
    } finally {
      cancel();
      shutdown.removeEventListener('abort', onShutdown);
    }
  }

  private async exchange(body: JsonObject, route: Route, abort: AbortSignal): Promise<CheckCall> {
    this.calls += 1;
    const reply = await this.deps.providers.at(route).send({
      request: {
        model: route.model,
        stream: body.stream === true,
        includeUsage: true,
        body: { model: route.model, ...body },
        needs: needsOf(body),
      },
      route,
      tenant: '',
      correlationId: `${this.bounds.id}-${this.calls}`,
      unsupportedParams: 'ignore',
      abort,
      onActivity: () => undefined,
    });
    const call = await this.follow(reply);
    return call.kind === 'failed' && abort.aborted ? this.failed(call.status, abortedBy(abort)) : call;
  }

  private async follow(reply: ProviderReply): Promise<CheckCall> {
    switch (reply.kind) {
      case 'failed':
        return this.failed(reply.head?.status ?? null, reply.signal);
      case 'whole': {
        const outcome = await reply.read();
        if (outcome.kind === 'failed') return this.failed(reply.head.status, outcome.signal);
        this.charge(outcome.answer.usage);
        return { kind: 'answered', status: reply.head.status, answer: spokenIn(outcome.answer) };
      }
      case 'stream':
        return this.followStream(reply);
    }
  }

  private async followStream({ head, frames }: StreamReply): Promise<CheckCall> {
    let answer = NOTHING_SPOKEN;
    for await (const group of frames) {
      for (const frame of group) {
        if (frame.kind === 'failure') return this.failed(head.status, frame.signal);
        if (frame.kind === 'chunk') answer = spokenWith(answer, frame);
        else {
          this.charge(answer.usage);
          return { kind: 'answered', status: head.status, answer };
        }
      }
    }
    return this.failed(head.status, { kind: 'truncated' });
  }

  /** An answer without usage cost something that nobody told. */
  private charge(usage: Usage): void {
    const cost = usage.source === 'none' ? null : attemptCost(usage, this.route.price);
    this.costPico = this.costPico === null || cost === null ? null : this.costPico + cost;
  }

  private failed(status: number | null, signal: Signal): CheckCall {
    const stage = status === null || status >= 400 ? 'before_headers' : 'before_output';
    const fault: Fault = classify(signal, { stage, nowMs: this.deps.clock.nowMs() });
    return { kind: 'failed', status, fault };
  }
}

function abortedBy({ reason }: AbortSignal): Signal {
  return { kind: 'aborted', by: reason === 'shutdown' ? 'shutdown' : 'deadline' };
}
