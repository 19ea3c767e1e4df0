import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { isJsonObject } from '../../../../domain/kernel/json';

/** How an answer ended. `paused`: the provider's own tools ran and the turn isn't finished. */
export type Ending =
  Readonly<{ kind: 'finished'; finishReason: string; refusal: string | null }> | Readonly<{ kind: 'paused' }>;

/** What OpenAI clients get where the model declined and didn't say why. */
export const DEFAULT_REFUSAL = 'The model declined to answer this request.';

type Row = Readonly<{ withToolCall: string; without: string }>;

const always = (finishReason: string): Row => ({ withToolCall: finishReason, without: finishReason });

/** WIRE §10.1. The official OpenAI helpers know exactly these words. */
const FINISH_REASONS: ReadonlyMap<string, Row> = new Map([
  ['end_turn', { withToolCall: 'tool_calls', without: 'stop' }],
  ['stop_sequence', always('stop')],
  ['max_tokens', always('length')],
  ['model_context_window_exceeded', always('length')],
  ['tool_use', { withToolCall: 'tool_calls', without: 'stop' }],
  ['refusal', always('content_filter')],
]);

/** A reason that we don't know: the answer is taken as it stands. */
const UNKNOWN: Row = { withToolCall: 'tool_calls', without: 'stop' };

export function endingOf(
  stopReason: string | null,
  stopDetails: JsonValue | undefined,
  toolCalls: number,
): Ending {
  if (stopReason === 'pause_turn') return { kind: 'paused' };
  const row = FINISH_REASONS.get(stopReason ?? '') ?? UNKNOWN;
  return {
    kind: 'finished',
    finishReason: toolCalls > 0 ? row.withToolCall : row.without,
    refusal: stopReason === 'refusal' ? explanationOf(isJsonObject(stopDetails) ? stopDetails : {}) : null,
  };
}

function explanationOf({ explanation }: JsonObject): string {
  return typeof explanation === 'string' && explanation !== '' ? explanation : DEFAULT_REFUSAL;
}
