import type { JsonObject } from '../../../domain/kernel/json';

/** What a finish reason of some dialect means (WIRE §11 rule 8). */
export type FinishReading =
  Readonly<{ kind: 'proper'; reason: string }> | Readonly<{ kind: 'failing'; reason: string }>;

/** The words of the official clients, and what other upstreams say for them. */
const PROPER: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['function_call', 'function_call'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
]);

/** A failure in the shape of an answer (FAILURES §3.4). */
const FAILING: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource']);

export function readFinishReason(raw: string): FinishReading {
  if (FAILING.has(raw)) return { kind: 'failing', reason: raw };
  return { kind: 'proper', reason: PROPER.get(raw) ?? 'stop' };
}

/** The upstream's own word; null while the choice goes on. */
export function rawFinishReason({ finish_reason: reason }: JsonObject): string | null {
  return typeof reason === 'string' && reason !== '' ? reason : null;
}
