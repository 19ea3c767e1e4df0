import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/**
 * Mistral writes content as a list of `text` and `thinking` parts; the official clients expect a string (WIRE §11 rule 5).
 * Returns the same object where nothing has to change.
 */
export function withPlainContent(delta: JsonObject): JsonObject {
  const { content } = delta;
  if (!Array.isArray(content)) return delta;
  let text = '';
  let thinking = '';
  for (const part of content as readonly JsonValue[]) {
    if (!isJsonObject(part)) continue;
    if (part.type === 'thinking') thinking += thinkingText(part.thinking);
    else if (typeof part.text === 'string') text += part.text;
  }
  const plain = { ...delta, content: text };
  return thinking === '' ? plain : { ...plain, reasoning_content: thinking };
}

function thinkingText(thinking: JsonValue | undefined): string {
  if (typeof thinking === 'string') return thinking;
  if (!Array.isArray(thinking)) return '';
  return (thinking as readonly JsonValue[])
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}
