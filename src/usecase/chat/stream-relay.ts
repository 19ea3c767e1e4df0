import type { ServedFacts } from '../../domain/interaction/served-facts';
import type { Signal } from '../../domain/resilience/signal';
import type { TimeoutSettings } from '../../domain/routing/policy-settings';
import { HOLDING, passGate, type GateRule, type GateState } from '../../domain/stream/stream-gate';
import { EMPTY_TALLY, tally, type StreamTally } from '../../domain/stream/stream-tally';
import type { ChunkFrame, Frame } from '../../domain/stream/frame';
import type { StreamReply } from '../port/chat-provider';
import type { Clock } from '../port/clock';
import type { Reply, WriteProgress } from '../port/reply';
import type { Timer } from '../port/timer';
import type { AttemptAbort } from './attempt-abort';
import { IdleWatch } from './idle-watch';

/** A caller who takes nothing for so long is treated like one who left: his socket would hold the provider's for ever. */
const WRITE_STALL_MS = 60_000;

export type RelayContext = Readonly<{
  reply: Reply;
  facts: ServedFacts;
  rule: GateRule;
  timeouts: TimeoutSettings;
  abort: AttemptAbort;
  /** Called once, when something decisive has come; it may still be held. */
  onDecisive: () => void;
  /** Reports a defect of ours and says how it counts. */
  onDefect: (cause: unknown) => Signal;
}>;

export type Relayed = Readonly<{
  /** Null: the answer is complete. */
  failure: Signal | null;
  firstOutputAtMs: number | null;
  tally: StreamTally;
}>;

/** Carries one provider stream to the caller. Nothing reaches him before the commit boundary. */
export class StreamRelay {
  private state: GateState = HOLDING;
  private sums: StreamTally = EMPTY_TALLY;
  private firstOutputAtMs: number | null = null;
  private idle: IdleWatch | null = null;
  private decided = false;

  constructor(
    private readonly deps: Readonly<{ clock: Clock; timer: Timer }>,
    private readonly context: RelayContext,
  ) {}

  /** Bytes arrived: pings and comments count, so that a slow provider isn't taken for a silent one. */
  touch(): void {
    this.idle?.touch();
  }

  async relay(stream: StreamReply): Promise<Relayed> {
    const { reply, timeouts } = this.context;
    const cancelOpening = this.deps.timer.start(timeouts.streamGateMs, () => reply.open());
    try {
      return this.relayed(await this.pump(stream));
    } catch (cause) {
      return this.relayed(this.context.onDefect(cause));
    } finally {
      cancelOpening();
      this.idle?.stop();
    }
  }

  private async pump(stream: StreamReply): Promise<Signal | null> {
    for await (const group of stream.frames) {
      this.sums = tally(this.sums, group);
      // What was under way when we ended the attempt counts, but reaches nobody any more.
      const { cause } = this.context.abort;
      if (cause !== null) return { kind: 'aborted', by: cause };
      if (!this.decided) this.lookForDecision(group);
      const step = passGate(this.state, group, this.context.rule);
      this.state = step.state;
      const progress = step.release.length > 0 ? this.write(step.release) : 'flowing';
      if (step.outcome.kind === 'failed') return step.outcome.signal;
      // The provider is done, so there is nothing that a slow caller could slow down.
      if (step.outcome.kind === 'ended') return null;
      if (progress !== 'flowing') await this.drained(progress.drained);
    }
    return { kind: 'truncated' };
  }

  private lookForDecision(group: readonly Frame[]): void {
    this.decided = group.some((frame) => frame.kind === 'chunk' && frame.weight === 'decisive');
    if (this.decided) this.context.onDecisive();
  }

  private write(frames: readonly ChunkFrame[]): WriteProgress {
    const { reply, facts } = this.context;
    if (this.firstOutputAtMs === null) {
      // Also where more was held than may be: from the first byte on there is no other route.
      if (!this.decided) this.context.onDecisive();
      this.decided = true;
      this.firstOutputAtMs = this.deps.clock.nowMs();
      this.watchSilence();
    }
    return reply.write(frames, facts);
  }

  /** While the caller isn't ready nothing is read, so the provider's silence means nothing. */
  private async drained(drained: Promise<void>): Promise<void> {
    const { abort } = this.context;
    this.idle?.stop();
    const cancelStall = this.deps.timer.start(WRITE_STALL_MS, () => abort.abort('write_stalled'));
    await Promise.race([drained, abort.whenAborted]);
    cancelStall();
    this.watchSilence();
  }

  private watchSilence(): void {
    const { timeouts, abort } = this.context;
    this.idle = new IdleWatch(this.deps, timeouts.idleMs, () => abort.abort('idle_timeout'));
  }

  private relayed(failure: Signal | null): Relayed {
    return { failure, firstOutputAtMs: this.firstOutputAtMs, tally: this.sums };
  }
}
