import type { Signal } from '../../domain/resilience/signal';
import { gateRule } from '../../domain/stream/stream-gate';
import { EMPTY_TALLY } from '../../domain/stream/stream-tally';
import type {
  ChatProviders,
  ProviderReply,
  StreamReply,
  WholeOutcome,
  WholeReply,
} from '../port/chat-provider';
import type { Clock } from '../port/clock';
import type { IncidentLog } from '../port/incident-log';
import type { Reply } from '../port/reply';
import type { CancelTimer, Timer } from '../port/timer';
import { AttemptAbort } from './attempt-abort';
import type { AttemptOrder } from './attempt-order';
import { attemptOf, type AttemptReport, type Course } from './attempt-report';
import { IdleWatch } from './idle-watch';
import { restoredReply } from './restored-reply';
import { RunningAttempts } from './running-attempts';
import { StreamRelay } from './stream-relay';

/** One order under way: its one abort owner, and whoever wants to know that bytes arrived. */
type Call = Readonly<{
  order: AttemptOrder;
  reply: Reply;
  abort: AttemptAbort;
  activity: { touch(): void };
  /** Something decisive has come: the attempt isn't slow any more. */
  onDecisive: () => void;
}>;

export type AttemptRunnerDeps = Readonly<{
  providers: ChatProviders;
  clock: Clock;
  timer: Timer;
  incidents: IncidentLog;
  /** Aborted when running interactions have to end. */
  shutdown: AbortSignal;
}>;

/**
 * Makes one upstream call and reports it. A provider's failure is an outcome, never an exception, and so is a defect of
 * an adapter: the ledger keeps what came before it (STYLE §5).
 */
export class AttemptRunner {
  /** One listener for all of them: with one each, a signal looks through all others whenever it is given one more. */
  private readonly running = new RunningAttempts();

  constructor(private readonly deps: AttemptRunnerDeps) {
    deps.shutdown.addEventListener('abort', () => this.running.abortAll('shutdown'));
  }

  async run(order: AttemptOrder, reply: Reply): Promise<AttemptReport> {
    const { clock, timer, shutdown } = this.deps;
    const abort = new AttemptAbort(timer, reply.callerGone);
    this.running.add(abort);
    if (shutdown.aborted) abort.abort('shutdown');
    abort.after(order.deadlineAtMs - clock.nowMs(), 'deadline');
    const onDecisive = this.limitSilence(order, abort);
    const call: Call = { order, reply, abort, activity: { touch: () => undefined }, onDecisive };
    try {
      const reply = await this.send(call);
      const course = await this.follow(
        call,
        order.restore === null ? reply : restoredReply(reply, order.restore),
      );
      return attemptOf(order, course, { abortedBy: abort.cause, endedAtMs: clock.nowMs() });
    } finally {
      this.running.remove(abort);
      abort.dispose();
    }
  }

  /** Ends the attempt if nothing decisive comes in the policy's time and another route can be taken instead. */
  private limitSilence(order: AttemptOrder, abort: AttemptAbort): CancelTimer {
    const { ttftFailoverMs } = order.settings.timeouts;
    if (ttftFailoverMs === null) return () => undefined;
    const remainingMs = order.start.startedAtMs + ttftFailoverMs - this.deps.clock.nowMs();
    return abort.afterIf(remainingMs, 'ttft_timeout', order.leadsElsewhere);
  }

  private async send(call: Call): Promise<ProviderReply> {
    const { abort, order } = call;
    // The caller left, or the time ran out, while the start of the attempt was recorded.
    if (abort.cause !== null) return unsent({ kind: 'aborted', by: abort.cause, sent: 'no' });
    const { headersMs, streamHeadersMs } = order.settings.timeouts;
    const limitMs = order.chat.request.stream ? streamHeadersMs : headersMs;
    const cancelTimeout = abort.after(limitMs, 'headers_timeout');
    try {
      return await this.callProvider(call);
    } catch (cause) {
      return unsent(this.defect(call, cause));
    } finally {
      cancelTimeout();
    }
  }

  private callProvider({ order, abort, activity }: Call): Promise<ProviderReply> {
    const { chat, request, start, settings } = order;
    return this.deps.providers.at(start.route).send({
      request,
      route: start.route,
      tenant: chat.tenant.id,
      correlationId: `${chat.requestId}-${start.number}`,
      unsupportedParams: settings.unsupportedParams,
      abort: abort.signal,
      onActivity: () => activity.touch(),
    });
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
    const outcome = await this.outcomeOf(call, reply);
    idle.stop();
    if (outcome.kind === 'failed') {
      const tally = { ...EMPTY_TALLY, ...outcome.heard };
      return { failure: outcome.signal, firstOutputAtMs: null, tally, answer: null };
    }
    const { answer } = outcome;
    const { usage, outputChars, finishReason } = answer;
    const tally = { usage, outputChars, finishReason, sideEffects: false };
    return { failure: null, firstOutputAtMs: this.deps.clock.nowMs(), tally, answer };
  }

  private async outcomeOf(call: Call, reply: WholeReply): Promise<WholeOutcome> {
    try {
      return await reply.read();
    } catch (cause) {
      return { kind: 'failed', signal: this.defect(call, cause) };
    }
  }

  private async relayStream(call: Call, reply: StreamReply): Promise<Pick<Course, StreamMember>> {
    const { abort, order, activity } = call;
    const relay = new StreamRelay(this.deps, {
      reply: call.reply,
      facts: { ...order.facts, ignoredParams: reply.ignoredParams },
      rule: gateRule(order.settings.commitOn),
      timeouts: order.settings.timeouts,
      abort,
      onDecisive: call.onDecisive,
      onDefect: (cause) => this.defect(call, cause),
    });
    activity.touch = () => relay.touch();
    return relay.relay(reply);
  }

  private defect({ order }: Call, cause: unknown): Signal {
    this.deps.incidents.defect(order.chat.requestId, cause);
    return { kind: 'local', cause: 'defect', param: null, message: 'a defect of the gateway' };
  }
}

function unsent(signal: Signal): ProviderReply {
  return { kind: 'failed', head: null, signal, ignoredParams: [] };
}

type WholeMember = 'failure' | 'firstOutputAtMs' | 'tally' | 'answer';
type StreamMember = Exclude<WholeMember, 'answer'>;
