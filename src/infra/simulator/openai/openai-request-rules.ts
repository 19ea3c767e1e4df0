import { asList, asNumber, asObject, asText, isArray, type JsonObject } from '../json-value';
import { invalidRequest } from './openai-fault';
import { openAiMessageFault } from './openai-message-rules';
import type { ProviderFault } from '../wire-format';

type Rule = (body: JsonObject) => ProviderFault | undefined;

/** The checks of Chat Completions, with the messages, params and codes of the real API. Unknown fields pass. */
export function openAiRequestFault(body: JsonObject): ProviderFault | undefined {
  return [...RULES, openAiMessageFault].map((rule) => rule(body)).find((fault) => fault !== undefined);
}

const RULES: readonly Rule[] = [
  (body) => (asText(body.model) ? undefined : invalidRequest('you must provide a model parameter')),
  ({ messages }) =>
    messages === undefined
      ? invalidRequest("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter')
      : undefined,
  ({ messages }) =>
    isArray(messages)
      ? undefined
      : invalidRequest(
          "Invalid type for 'messages': expected an array of objects.",
          'messages',
          'invalid_type',
        ),
  ({ messages }) =>
    asList(messages).length > 0
      ? undefined
      : invalidRequest(
          "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
          'messages',
          'empty_array',
        ),
  (body) => above(body, 'temperature', 2),
  (body) => above(body, 'top_p', 1),
  (body) => belowOne(body, 'max_tokens'),
  (body) => belowOne(body, 'max_completion_tokens'),
  (body) => belowOne(body, 'n'),
  stopFault,
  ({ stream, stream_options }) =>
    stream_options !== undefined && stream_options !== null && stream !== true
      ? invalidRequest(
          "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
          'stream_options',
        )
      : undefined,
  toolChoiceFault,
  jsonObjectFault,
];

function above(body: JsonObject, param: string, limit: number): ProviderFault | undefined {
  const value = asNumber(body[param]);
  if (value === undefined || value <= limit) return undefined;
  const message = `Invalid '${param}': decimal above maximum value. Expected a value <= ${limit}, but got ${value} instead.`;
  return invalidRequest(message, param, 'decimal_above_max_value');
}

function belowOne(body: JsonObject, param: string): ProviderFault | undefined {
  const value = asNumber(body[param]);
  if (value === undefined || value >= 1) return undefined;
  const message = `Invalid '${param}': integer below minimum value. Expected a value >= 1, but got ${value} instead.`;
  return invalidRequest(message, param, 'integer_below_min_value');
}

function stopFault({ stop }: JsonObject): ProviderFault | undefined {
  const { length } = asList(stop);
  if (length <= 4) return undefined;
  const message = `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${length} instead.`;
  return invalidRequest(message, 'stop', 'array_above_max_length');
}

function toolChoiceFault(body: JsonObject): ProviderFault | undefined {
  const choice = body.tool_choice;
  if (choice === undefined || choice === null) return undefined;
  const names = asList(body.tools).map((tool) => asObject(asObject(tool)?.function)?.name);
  if (names.length === 0) {
    return invalidRequest(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    );
  }
  const name = asText(asObject(asObject(choice)?.function)?.name);
  if (name === undefined || names.includes(name)) return undefined;
  return invalidRequest(
    `Invalid value for 'tool_choice': function '${name}' is not in 'tools'.`,
    'tool_choice',
  );
}

function jsonObjectFault(body: JsonObject): ProviderFault | undefined {
  if (asObject(body.response_format)?.type !== 'json_object') return undefined;
  if (/json/i.test(JSON.stringify(body.messages))) return undefined;
  const message =
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  return invalidRequest(message, 'messages');
}
