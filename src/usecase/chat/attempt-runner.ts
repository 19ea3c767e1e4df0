import { gateRule } from '../../domain/stream/stream-gate';
import { EMPTY_TALLY } from '../../domain/stream/stream-tally';
import type { ChatProviders, ProviderReply, StreamReply, WholeReply } from '../port/chat-provider';
import type { Clock } from '../port/clock';
import type { Reply } from '../port/reply';
import type { Timer } from '../port/timer';
import { AttemptAbort } from './attempt-abort';
import type { AttemptOrder } from './attempt-order';
import { attemptOf, type AttemptReport, type Course } from './attempt-report';
import { IdleWatch } from './idle-watch';
import { StreamRelay } from './stream-relay';

/** One order under way: its one abort owner, and whoever wants to know that bytes arrived. */
type Call = Readonly<{ order: AttemptOrder; reply: Reply; abort: AttemptAbort; activity: { touch(): void } }>;

export type AttemptRunnerDeps = Readonly<{
  providers: ChatProviders;
  clock: Clock;
  timer: Timer;
  /** Aborted when running interactions have to end. */
  shutdown: AbortSignal;
}>;

/** Makes one upstream call and reports it. A provider's failure is an outcome, never an exception. */
export class AttemptRunner {
  constructor(private readonly deps: AttemptRunnerDeps) {}

  async run(order: AttemptOrder, reply: Reply): Promise<AttemptReport> {
    const { clock, timer, shutdown } = this.deps;
    const abort = new AttemptAbort(timer, { callerGone: reply.callerGone, shutdown });
    const call: Call = { order, reply, abort, activity: { touch: () => undefined } };
    abort.after(order.deadlineAtMs - clock.nowMs(), 'deadline');
    try {
      const course = await this.follow(call, await this.send(call));
      return attemptOf(order, course, { abortedBy: abort.cause, endedAtMs: clock.nowMs() });
    } finally {
      abort.dispose();
    }
  }

  private async send(call: Call): Promise<ProviderReply> {
    const { chat, start, settings } = call.order;
    const { headersMs, streamHeadersMs } = settings.timeouts;
    const cancelTimeout = call.abort.after(
      chat.request.stream ? streamHeadersMs : headersMs,
      'headers_timeout',
    );
    const reply = await this.deps.providers.at(start.route).send({
      request: chat.request,
      route: start.route,
      tenant: chat.tenant.id,
      correlationId: `${chat.requestId}-${start.number}`,
      unsupportedParams: settings.unsupportedParams,
      abort: call.abort.signal,
      onActivity: () => call.activity.touch(),
    });
    cancelTimeout();
    return reply;
  }

  private async follow(call: Call, reply: ProviderReply): Promise<Course> {
    const { head, ignoredParams } = reply;
    const known = { head, ignoredParams, headersAtMs: head === null ? null : this.deps.clock.nowMs() };
    switch (reply.kind) {
      case 'failed':
        return { ...known, failure: reply.signal, firstOutputAtMs: null, tally: EMPTY_TALLY, answer: null };
      case 'whole':
        return { ...known, ...(await this.readWhole(call, reply)) };
      case 'stream':
        return { ...known, ...(await this.relayStream(call, reply)), answer: null };
    }
  }

  private async readWhole(call: Call, reply: WholeReply): Promise<Pick<Course, WholeMember>> {
    const { abort, order, activity } = call;
    const idle = new IdleWatch(this.deps, order.settings.timeouts.idleMs, () => abort.abort('idle_timeout'));
    activity.touch = () => idle.touch();
    const outcome = await reply.read();
    idle.stop();
    if (outcome.kind === 'failed') {
      return { failure: outcome.signal, firstOutputAtMs: null, tally: EMPTY_TALLY, answer: null };
    }
    const { answer } = outcome;
    const { usage, outputChars, finishReason } = answer;
    const tally = { usage, outputChars, finishReason, sideEffects: false };
    return { failure: null, firstOutputAtMs: this.deps.clock.nowMs(), tally, answer };
  }

  private async relayStream(call: Call, reply: StreamReply): Promise<Pick<Course, StreamMember>> {
    const { abort, order, activity } = call;
    const relay = new StreamRelay(this.deps, {
      reply: call.reply,
      facts: { ...order.facts, ignoredParams: reply.ignoredParams },
      rule: gateRule(order.settings.commitOn),
      timeouts: order.settings.timeouts,
      abort,
    });
    activity.touch = () => relay.touch();
    return relay.relay(reply);
  }
}

type WholeMember = 'failure' | 'firstOutputAtMs' | 'tally' | 'answer';
type StreamMember = Exclude<WholeMember, 'answer'>;
