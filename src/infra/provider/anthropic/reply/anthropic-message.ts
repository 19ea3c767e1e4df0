import type { Usage } from '../../../../domain/interaction/usage';
import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { isJsonObject } from '../../../../domain/kernel/json';
import type { Signal } from '../../../../domain/resilience/signal';
import type { EndFrame, FailureFrame, Frame } from '../../../../domain/stream/frame';
import { mergeCounters, readUsage, serviceTierOf } from '../anthropic-usage';
import { ChunkWriter } from './chunk-writer';
import { ContentBlocks, type BlockOutput } from './content-blocks';
import { endingOf } from './stop-reason';

export const END: EndFrame = { kind: 'end' };

/** Where the answer's own members come from when the provider leaves them out. */
export type MessageIdentity = Readonly<{ created: number; fallbackId: string }>;

/** One answer while its events arrive. After an `end` or a `failure` it must not be given any more. */
export class AnthropicMessage {
  private readonly blocks = new ContentBlocks();
  private writer: ChunkWriter | null = null;
  private id: JsonValue | undefined;
  private counters: JsonObject | null = null;
  private stopReason: string | null = null;
  private stopDetails: JsonValue | undefined;
  private spoken = false;

  constructor(private readonly identity: MessageIdentity) {}

  /** The provider said why it stopped: nothing is missing any more. */
  get hasStopReason(): boolean {
    return this.stopReason !== null;
  }

  /** Something decisive was said. */
  get hasSpoken(): boolean {
    return this.spoken;
  }

  get annotations(): readonly JsonObject[] {
    return this.blocks.annotations;
  }

  get usage(): Usage {
    return readUsage(this.counters);
  }

  get serviceTier(): string | undefined {
    return serviceTierOf(this.counters);
  }

  /** Adds what one event says; events of unknown type say nothing. */
  accept(event: JsonObject, into: Frame[]): void {
    const type = typeof event.type === 'string' ? event.type : '';
    switch (type) {
      case 'message_start':
        return this.begin(objectOf(event.message), into);
      case 'content_block_start':
        return this.say(this.blocks.start(indexOf(event), objectOf(event.content_block)), into);
      case 'content_block_delta':
        return this.say(this.blocks.delta(indexOf(event), objectOf(event.delta)), into);
      case 'content_block_stop':
        return this.say(this.blocks.stop(indexOf(event)), into);
      case 'message_delta':
        return this.change(objectOf(event.delta), event.usage);
      case 'message_stop':
        return this.finish(into);
    }
  }

  /** Ends the answer: the refusal if there is one, the finish, the usage, and the end, or the failure that it is. */
  finish(into: Frame[]): void {
    const broken = this.brokenEnd();
    if (broken !== null || this.writer === null) {
      into.push(failure(broken ?? { kind: 'malformed', what: 'no_output' }));
      return;
    }
    const ending = endingOf(this.stopReason, this.stopDetails, this.blocks.toolCalls);
    if (ending.kind === 'paused') {
      into.push(failure({ kind: 'side_effects_unknown', detail: 'pause_turn' }));
      return;
    }
    for (const rest of this.blocks.stopAll()) into.push(this.writer.said(rest));
    const { refusal, finishReason } = ending;
    if (refusal !== null) into.push(this.writer.said({ delta: { refusal }, chars: refusal.length }));
    into.push(this.writer.finish(finishReason));
    const usage = this.writer.usage(this.usage);
    if (usage !== null) into.push(usage);
    into.push(END);
  }

  /** The same start may arrive twice behind proxies; another one means that two answers were spliced. */
  private begin(message: JsonObject, into: Frame[]): void {
    if (this.writer !== null) {
      if (message.id !== this.id) into.push(failure({ kind: 'malformed', what: 'spliced_stream' }));
      return;
    }
    this.id = message.id;
    this.writer = new ChunkWriter({
      id: textOf(message.id) ?? this.identity.fallbackId,
      created: this.identity.created,
      model: textOf(message.model) ?? '',
    });
    this.count(message.usage);
    into.push(this.writer.opening());
  }

  private say(output: BlockOutput, into: Frame[]): void {
    if (output === 'nothing') return;
    if (output === 'unroutable' || this.writer === null) {
      into.push(failure({ kind: 'malformed', what: 'bad_frame' }));
      return;
    }
    this.spoken = true;
    this.writer.sideEffects = this.blocks.sideEffects;
    into.push(this.writer.said(output));
  }

  /** There may be several; the last stop reason counts. */
  private change(delta: JsonObject, usage: JsonValue | undefined): void {
    this.stopReason = textOf(delta.stop_reason) ?? this.stopReason;
    this.stopDetails = delta.stop_details ?? this.stopDetails;
    this.count(usage);
  }

  private count(usage: JsonValue | undefined): void {
    this.counters = mergeCounters(this.counters, usage);
    if (isJsonObject(usage)) this.writer?.report(this.usage);
  }

  /** Without a stop reason only a text or a tool call that is complete makes an answer (WIRE §10.1). */
  private brokenEnd(): Signal | null {
    if (this.stopReason !== null) return null;
    if (!this.spoken) return { kind: 'malformed', what: 'no_output' };
    return this.blocks.complete ? null : { kind: 'truncated' };
  }
}

export function failure(signal: Signal): FailureFrame {
  return { kind: 'failure', signal };
}

export function isLast(frame: Frame | undefined): boolean {
  return frame?.kind === 'end' || frame?.kind === 'failure';
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Minus one for an event without an index: a block of its own. */
function indexOf({ index }: JsonObject): number {
  return typeof index === 'number' ? index : -1;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
