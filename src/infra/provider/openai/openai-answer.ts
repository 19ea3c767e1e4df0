import type { ChatAnswer } from '../../../domain/chat/chat-answer';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { MalformedAnswer, RetryHints, Signal } from '../../../domain/resilience/signal';
import type { WholeOutcome } from '../../../usecase/port/chat-provider';
import { parseJson } from '../transport/error-body';
import type { SecretRedactor } from '../transport/redact-secrets';
import { withPlainContent } from './content-parts';
import { isErrorObject } from './error-object';
import { rawFinishReason, readFinishReason } from './finish-reason';
import { reportedUsage } from './openai-usage';
import { spokenOutput } from './spoken-output';
import { wholeToolCalls } from './tool-call-deltas';

type CompletionContext = Readonly<{ redactor: SecretRedactor; hints: RetryHints }>;

type ChoiceReading =
  | Readonly<{ kind: 'choice'; choice: JsonObject; chars: number; finishReason: string }>
  | Readonly<{ kind: 'failed'; signal: Signal }>;

/** Understands the text of a 200: an answer, or the failure that it hides (FAILURES §3.4). */
export function readCompletion(text: string, { redactor, hints }: CompletionContext): WholeOutcome {
  if (text === '') return malformed('empty_body');
  const body = parseJson(text);
  if (body === null) return malformed('not_json');
  if (isErrorObject(body)) {
    return failed({ kind: 'provider_error', status: 200, body: redactor.json(body), hints });
  }
  if (!isJsonObject(body)) return malformed('not_an_object');
  const { choices } = body;
  if (!Array.isArray(choices) || choices.length === 0) return malformed('no_choices');
  return answerOf(body, choices as readonly JsonValue[], text);
}

function answerOf(body: JsonObject, choices: readonly JsonValue[], text: string): WholeOutcome {
  const normal: JsonObject[] = [];
  let outputChars = 0;
  let finishReason: string | null = null;
  for (const raw of choices) {
    const reading = readChoice(raw);
    if (reading.kind === 'failed') return reading;
    normal.push(reading.choice);
    outputChars += reading.chars;
    finishReason ??= reading.finishReason;
  }
  const same = normal.every((choice, position) => choice === choices[position]);
  const answer: ChatAnswer = {
    body: same ? body : { ...body, choices: normal },
    text: same ? text : null,
    finishReason: finishReason ?? 'stop',
    usage: reportedUsage(body),
    outputChars,
  };
  return { kind: 'answer', answer };
}

function readChoice(raw: JsonValue): ChoiceReading {
  if (!isJsonObject(raw)) return malformed('no_choices');
  const rawReason = rawFinishReason(raw);
  const rawMessage = isJsonObject(raw.message) ? raw.message : emptyMessage(rawReason);
  if (rawMessage === null) return malformed('no_choices');
  const message = normalMessage(rawMessage);
  const spoken = spokenOutput(message);
  // Without a reason only what was said shows that this is an answer.
  if (rawReason === null && !spoken.decisive) return malformed('no_output');
  const finish = readFinishReason(rawReason ?? impliedReason(message));
  if (finish.kind === 'failing') return failed({ kind: 'failing_finish', finishReason: finish.reason });
  const same = message === raw.message && finish.reason === rawReason;
  return {
    kind: 'choice',
    choice: same ? raw : { ...raw, message, finish_reason: finish.reason },
    chars: spoken.chars,
    finishReason: finish.reason,
  };
}

/** Azure leaves the message out when its filter took everything; the finish reason makes it an answer all the same. */
function emptyMessage(rawReason: string | null): JsonObject | null {
  return rawReason === null ? null : { role: 'assistant', content: null, refusal: null };
}

function normalMessage(raw: JsonObject): JsonObject {
  const message = withPlainContent(raw);
  if (!Array.isArray(message.tool_calls)) return message;
  const calls = wholeToolCalls(message.tool_calls as readonly JsonValue[]);
  return calls === message.tool_calls ? message : { ...message, tool_calls: calls };
}

function impliedReason({ tool_calls: calls }: JsonObject): string {
  return Array.isArray(calls) && calls.length > 0 ? 'tool_calls' : 'stop';
}

function malformed(what: MalformedAnswer): Readonly<{ kind: 'failed'; signal: Signal }> {
  return failed({ kind: 'malformed', what });
}

function failed(signal: Signal): Readonly<{ kind: 'failed'; signal: Signal }> {
  return { kind: 'failed', signal };
}
