import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { isJsonObject } from '../../../../domain/kernel/json';

/** A whole `message` as the events that it would have been streamed in, so that both ways have one translation. */
export function eventsOf(message: JsonObject, content: readonly JsonValue[]): readonly JsonObject[] {
  const { stop_reason, stop_details, usage } = message;
  return [
    { type: 'message_start', message },
    ...content.flatMap((block, index) => (isJsonObject(block) ? blockEvents(block, index) : [])),
    { type: 'message_delta', delta: { stop_reason, stop_details }, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: JsonObject, index: number): readonly JsonObject[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ];
}
