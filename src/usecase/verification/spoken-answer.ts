import type { ChatAnswer } from '../../domain/chat/chat-answer';
import { mergeUsage, NO_USAGE } from '../../domain/interaction/usage';
import type { JsonObject, JsonValue } from '../../domain/kernel/json';
import { isJsonObject } from '../../domain/kernel/json';
import type { ChunkFrame } from '../../domain/stream/frame';
import type { SpokenAnswer } from './check';

export const NOTHING_SPOKEN: SpokenAnswer = {
  text: '',
  toolCalls: [],
  finishReason: 'stop',
  model: null,
  usage: NO_USAGE,
};

export function spokenIn({ body, finishReason, usage }: ChatAnswer): SpokenAnswer {
  const message = memberOf(firstChoice(body), 'message');
  return {
    text: textOf(message.content),
    toolCalls: listOf(message.tool_calls).filter(isJsonObject),
    finishReason,
    model: nameOf(body.model),
    usage,
  };
}

/** What was spoken so far, with one chunk more. No check looks at the tool calls of a stream. */
export function spokenWith(before: SpokenAnswer, { chunk, finishReason, usage }: ChunkFrame): SpokenAnswer {
  const delta = memberOf(firstChoice(chunk), 'delta');
  return {
    ...before,
    text: before.text + textOf(delta.content),
    finishReason: finishReason ?? before.finishReason,
    model: before.model ?? nameOf(chunk.model),
    usage: usage === null ? before.usage : mergeUsage(before.usage, usage),
  };
}

function firstChoice({ choices }: JsonObject): JsonObject {
  const [first] = listOf(choices);
  return isJsonObject(first) ? first : {};
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = object[name];
  return isJsonObject(member) ? member : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function nameOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
