import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/** A whole completion as the one chunk of a stream: its messages are deltas. */
export function chunkOfAnswer(completion: JsonObject): JsonObject {
  const choices = Array.isArray(completion.choices) ? (completion.choices as readonly JsonValue[]) : [];
  return { ...completion, object: 'chat.completion.chunk', choices: choices.map(deltaChoice) };
}

function deltaChoice(choice: JsonValue): JsonValue {
  if (!isJsonObject(choice)) return choice;
  const { message, ...rest } = choice;
  return { ...rest, delta: isJsonObject(message) ? withIndexes(message) : {} };
}

function withIndexes(message: JsonObject): JsonObject {
  if (!Array.isArray(message.tool_calls)) return message;
  const calls = message.tool_calls as readonly JsonValue[];
  return {
    ...message,
    tool_calls: calls.map((call, index) => (isJsonObject(call) ? { ...call, index } : call)),
  };
}
