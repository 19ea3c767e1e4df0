import { needsOf } from '../../domain/catalog/contract';
import type { ChatRequest } from '../../domain/chat/chat-request';
import type { InvalidRequest } from '../../domain/error/gateway-error';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/kernel/json';
import { err, ok, type Result } from '../../domain/kernel/result';

type Check = Readonly<{ expected: string; holds: (value: JsonValue) => boolean }>;

const isInteger = (value: JsonValue): value is number => typeof value === 'number' && Number.isInteger(value);
const text: Check = { expected: 'a string', holds: (value) => typeof value === 'string' };
const flag: Check = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const object: Check = { expected: 'an object', holds: isJsonObject };
const choice: Check = {
  expected: 'a string or an object',
  holds: (value) => typeof value === 'string' || isJsonObject(value),
};
const objects: Check = {
  expected: 'a list of objects',
  holds: (value) => Array.isArray(value) && value.every(isJsonObject),
};
const stopSequences: Check = {
  expected: 'a string or a list of strings',
  holds: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string')),
};

function wholeNumber(min: number, max: number): Check {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return {
    expected: `a whole number ${range}`,
    holds: (value) => isInteger(value) && value >= min && value <= max,
  };
}

function numberBetween(min: number, max: number): Check {
  const holds = (value: JsonValue): boolean => typeof value === 'number' && value >= min && value <= max;
  return { expected: `a number from ${min} to ${max}`, holds };
}

/**
 * Fields whose type every provider agrees on. All are optional, null counts as absent (WIRE §1.4), and a field that isn't
 * named here is passed on unseen: it is the provider's to judge.
 */
const FIELDS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    stream: flag,
    stream_options: object,
    max_tokens: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    max_completion_tokens: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    n: wholeNumber(1, 128),
    temperature: numberBetween(0, 2),
    top_p: numberBetween(0, 1),
    frequency_penalty: numberBetween(-2, 2),
    presence_penalty: numberBetween(-2, 2),
    logprobs: flag,
    top_logprobs: wholeNumber(0, 20),
    logit_bias: object,
    seed: { expected: 'a whole number', holds: isInteger },
    stop: stopSequences,
    tools: objects,
    tool_choice: choice,
    parallel_tool_calls: flag,
    functions: objects,
    function_call: choice,
    response_format: object,
    reasoning_effort: text,
    user: text,
    metadata: object,
  }),
);

const MESSAGE_FIELDS: readonly (readonly [field: string, check: Check])[] = [
  [
    'content',
    {
      expected: 'a string or a list of content parts',
      holds: (value) => typeof value === 'string' || objects.holds(value),
    },
  ],
  ['tool_calls', objects],
];

const MAX_MODEL_CHARS = 256;

/** Reads a chat request. What is wrong on every route is refused here, naming the field, before anything is sent. */
export function parseChatRequest(body: unknown): Result<ChatRequest, InvalidRequest> {
  if (!isJsonObject(body)) return invalid(null, 'The request body must be a JSON object.');
  const { model } = body;
  if (typeof model !== 'string' || model.trim() === '' || model.length > MAX_MODEL_CHARS) {
    return invalid('model', `'model' must name a model, in 1 to ${MAX_MODEL_CHARS} characters.`);
  }
  const found = fieldProblem(body) ?? messagesProblem(body.messages);
  if (found !== null) return invalid(found.param, found.message);
  return ok({
    model,
    stream: body.stream === true,
    includeUsage: isJsonObject(body.stream_options) && body.stream_options.include_usage === true,
    body,
    needs: needsOf(body),
  });
}

type FieldProblem = Readonly<{ param: string; message: string }>;

/** Looks at the fields that are there: there are more that could be. */
function fieldProblem(body: JsonObject): FieldProblem | null {
  for (const param of Object.keys(body)) {
    const check = FIELDS.get(param);
    const value = body[param] ?? null;
    if (check !== undefined && value !== null && !check.holds(value)) return problem(param, check.expected);
  }
  return null;
}

function messagesProblem(messages: JsonValue | undefined): FieldProblem | null {
  if (!Array.isArray(messages) || messages.length === 0) {
    return problem('messages', 'a list with at least one message');
  }
  for (const [index, message] of (messages as readonly JsonValue[]).entries()) {
    const found = messageProblem(message);
    if (found !== null) return problem(`messages[${index}]${found.member}`, found.expected);
  }
  return null;
}

/** `member`: what of the message is wrong, as it follows the message's own path. */
function messageProblem(message: JsonValue): Readonly<{ member: string; expected: string }> | null {
  if (!isJsonObject(message)) return { member: '', expected: object.expected };
  if (typeof message.role !== 'string' || message.role === '') {
    return { member: '.role', expected: "a string such as 'user'" };
  }
  for (const [field, { expected, holds }] of MESSAGE_FIELDS) {
    const value = message[field] ?? null;
    if (value !== null && !holds(value)) return { member: `.${field}`, expected };
  }
  return null;
}

function problem(param: string, expected: string): FieldProblem {
  return { param, message: `'${param}' must be ${expected}.` };
}

function invalid(param: string | null, message: string): Result<never, InvalidRequest> {
  return err({ code: 'invalid_request_error', reason: 'invalid_value', param, message });
}
