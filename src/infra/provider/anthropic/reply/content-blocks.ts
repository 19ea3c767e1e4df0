import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { isJsonObject } from '../../../../domain/kernel/json';
import { annotationOf, webCitation } from './citation';

/** What a block event says to the caller: a delta, and how many characters of output it adds. */
export type Said = Readonly<{ delta: JsonObject; chars: number }>;

/** `unroutable`: it belongs to a tool call that nobody can name. */
export type BlockOutput = Said | 'nothing' | 'unroutable';

type OpenBlock =
  | Readonly<{ kind: 'text'; start: number; citations: JsonObject[] }>
  | Readonly<{ kind: 'thinking' }>
  | { readonly kind: 'tool'; readonly toolIndex: number; readonly input: JsonValue; hasArguments: boolean }
  | Readonly<{ kind: 'silent' }>;

/** Blocks that show that a tool of the provider's own runs or has run. */
const PROVIDER_SIDE = /^(?:server_tool_use|mcp_tool_use|container_upload|\w+_tool_result)$/;

/** Deltas that belong to a block although its start never came. */
const IMPLIED: Readonly<Record<string, 'text' | 'thinking'>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
};

/**
 * The content blocks of one answer. Events are routed by their block's index, never by "the current one"; OpenAI's
 * indexes count tool calls only (WIRE §10.3).
 */
export class ContentBlocks {
  readonly annotations: JsonObject[] = [];
  toolCalls = 0;
  /** Provider-side tools have started. */
  sideEffects = false;
  private readonly open = new Map<number, OpenBlock>();
  private contentLength = 0;

  /** Whether every block that was started has also been stopped. */
  get complete(): boolean {
    return this.open.size === 0;
  }

  start(index: number, block: JsonObject): BlockOutput {
    const type = typeof block.type === 'string' ? block.type : '';
    switch (type) {
      case 'text':
        this.open.set(index, {
          kind: 'text',
          start: this.contentLength,
          citations: webCitations(block.citations),
        });
        return this.text(block.text);
      case 'thinking':
        this.open.set(index, { kind: 'thinking' });
        return thinking(block.thinking);
      case 'tool_use':
        return this.startTool(index, block);
      default:
        return this.startSilent(index, type);
    }
  }

  delta(index: number, delta: JsonObject): BlockOutput {
    const block = this.open.get(index) ?? this.impliedBlock(index, delta);
    if (block === undefined) return delta.type === 'input_json_delta' ? 'unroutable' : 'nothing';
    switch (block.kind) {
      case 'text':
        return this.textDelta(block, delta);
      case 'thinking':
        return thinking(delta.thinking);
      case 'tool':
        return toolArguments(block, delta.partial_json);
      case 'silent':
        return 'nothing';
    }
  }

  stop(index: number): BlockOutput {
    const block = this.open.get(index);
    this.open.delete(index);
    if (block?.kind === 'text') this.annotate(block.start, block.citations);
    return block?.kind === 'tool' ? inputAsArguments(block) : 'nothing';
  }

  /** Stops what the provider left open. */
  stopAll(): readonly Said[] {
    const outputs = [...this.open.keys()].map((index) => this.stop(index));
    return outputs.filter((output) => typeof output === 'object');
  }

  private startTool(index: number, { id, name, input }: JsonObject): BlockOutput {
    if (typeof name !== 'string' || name === '') return 'unroutable';
    const toolIndex = this.toolCalls++;
    this.open.set(index, { kind: 'tool', toolIndex, input: input ?? {}, hasArguments: false });
    const callId = typeof id === 'string' && id !== '' ? id : `call_${toolIndex}`;
    const call = { index: toolIndex, id: callId, type: 'function', function: { name, arguments: '' } };
    return { delta: { tool_calls: [call] }, chars: 0 };
  }

  /** Nothing is shown of it, but a provider-side tool still has to be told to whoever would replay the request. */
  private startSilent(index: number, type: string): BlockOutput {
    this.open.set(index, { kind: 'silent' });
    if (this.sideEffects || !PROVIDER_SIDE.test(type)) return 'nothing';
    this.sideEffects = true;
    return { delta: {}, chars: 0 };
  }

  private textDelta(block: Extract<OpenBlock, { kind: 'text' }>, delta: JsonObject): BlockOutput {
    if (delta.type === 'text_delta') return this.text(delta.text);
    if (delta.type === 'citations_delta') block.citations.push(...webCitations([delta.citation ?? null]));
    return 'nothing';
  }

  private text(text: JsonValue | undefined): BlockOutput {
    if (typeof text !== 'string' || text === '') return 'nothing';
    this.contentLength += text.length;
    return { delta: { content: text }, chars: text.length };
  }

  private impliedBlock(index: number, { type }: JsonObject): OpenBlock | undefined {
    const kind = typeof type === 'string' && Object.hasOwn(IMPLIED, type) ? IMPLIED[type] : undefined;
    if (kind === undefined) return undefined;
    const block: OpenBlock = kind === 'text' ? { kind, start: this.contentLength, citations: [] } : { kind };
    this.open.set(index, block);
    return block;
  }

  private annotate(start: number, citations: readonly JsonObject[]): void {
    const span = { start, end: this.contentLength };
    for (const citation of citations) this.annotations.push(annotationOf(citation, span));
  }
}

function thinking(text: JsonValue | undefined): BlockOutput {
  if (typeof text !== 'string' || text === '') return 'nothing';
  return { delta: { reasoning_content: text }, chars: text.length };
}

function toolArguments(
  block: Extract<OpenBlock, { kind: 'tool' }>,
  text: JsonValue | undefined,
): BlockOutput {
  if (typeof text !== 'string' || text === '') return 'nothing';
  block.hasArguments = true;
  return argumentsDelta(block.toolIndex, text);
}

/** The input in the start event is a placeholder unless no argument followed: then it is all there is. */
function inputAsArguments({
  hasArguments,
  toolIndex,
  input,
}: Extract<OpenBlock, { kind: 'tool' }>): BlockOutput {
  return hasArguments ? 'nothing' : argumentsDelta(toolIndex, JSON.stringify(input));
}

function argumentsDelta(index: number, text: string): Said {
  return { delta: { tool_calls: [{ index, function: { arguments: text } }] }, chars: text.length };
}

function webCitations(citations: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(citations)) return [];
  return (citations as readonly JsonValue[]).map(webCitation).filter(isJsonObject);
}
