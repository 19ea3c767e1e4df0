import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/** What a delta, or a whole message, says to the caller. */
export type SpokenOutput = Readonly<{
  /** Characters of content, reasoning, refusal and tool arguments. */
  chars: number;
  /** FAILURES §4: something that the caller can see or hear, or the start of a tool call. */
  decisive: boolean;
}>;

export function spokenOutput(delta: JsonObject): SpokenOutput {
  const text = length(delta.content) + length(delta.refusal) + reasoningLength(delta);
  const tools = toolLength(delta.tool_calls);
  const legacy = isJsonObject(delta.function_call) ? callLength(delta.function_call) : null;
  const chars = text + (tools ?? 0) + (legacy ?? 0);
  return { chars, decisive: chars > 0 || tools !== null || legacy !== null || hasMedia(delta) };
}

/** The same reasoning may stand in two members; it counts once. Encrypted details say nothing. */
function reasoningLength(delta: JsonObject): number {
  const named = Math.max(length(delta.reasoning_content), length(delta.reasoning), length(delta.thinking));
  if (named > 0 || !Array.isArray(delta.reasoning_details)) return named;
  let chars = 0;
  for (const detail of delta.reasoning_details as readonly JsonValue[]) {
    if (isJsonObject(detail)) chars += length(detail.text) + length(detail.summary);
  }
  return chars;
}

/** Null: no call starts or grows here. */
function toolLength(calls: JsonValue | undefined): number | null {
  if (!Array.isArray(calls)) return null;
  let chars: number | null = null;
  for (const call of calls as readonly JsonValue[]) {
    if (!isJsonObject(call)) continue;
    const spoken = isJsonObject(call.function) ? callLength(call.function) : null;
    if (spoken !== null || length(call.id) > 0) chars = (chars ?? 0) + (spoken ?? 0);
  }
  return chars;
}

/** Null: neither a name nor arguments. */
function callLength(call: JsonObject): number | null {
  const chars = length(call.arguments);
  return chars > 0 || length(call.name) > 0 ? chars : null;
}

function hasMedia({ audio, images }: JsonObject): boolean {
  if (Array.isArray(images) && images.length > 0) return true;
  return isJsonObject(audio) && (length(audio.data) > 0 || length(audio.transcript) > 0);
}

function length(value: JsonValue | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}
