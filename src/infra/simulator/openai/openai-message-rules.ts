import { asList, asObject, asText, type JsonObject } from '../json-value';
import { invalidRequest } from './openai-fault';
import type { ProviderFault } from '../wire-format';

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const MAX_TOOL_CALL_ID_LENGTH = 40;

/** Roles, and the pairing of tool calls with tool messages. */
export function openAiMessageFault(body: JsonObject): ProviderFault | undefined {
  const messages = asList(body.messages).map((message) => asObject(message) ?? {});
  return messages
    .map(
      (message, index) =>
        roleFault(message, index) ?? idFault(message, index) ?? pairingFault(messages, index),
    )
    .find((fault) => fault !== undefined);
}

function roleFault({ role }: JsonObject, index: number): ProviderFault | undefined {
  if (ROLES.includes(asText(role) ?? '')) return undefined;
  const supported = ROLES.map((name) => `'${name}'`).join(', ');
  const message = `Invalid value: '${asText(role) ?? JSON.stringify(role)}'. Supported values are: ${supported}.`;
  return invalidRequest(message, `messages[${index}].role`, 'invalid_value');
}

function idFault(message: JsonObject, index: number): ProviderFault | undefined {
  const position = toolCallIds(message).findIndex((id) => id.length > MAX_TOOL_CALL_ID_LENGTH);
  if (position < 0) return undefined;
  const param = `messages[${index}].tool_calls[${position}].id`;
  const text = `Invalid '${param}': string too long. Expected a string with maximum length ${MAX_TOOL_CALL_ID_LENGTH}.`;
  return invalidRequest(text, param, 'string_above_max_length');
}

function pairingFault(messages: readonly JsonObject[], index: number): ProviderFault | undefined {
  const message = messages[index] ?? {};
  return message.role === 'tool' ? orphanFault(messages, index) : unansweredFault(messages, index);
}

function orphanFault(messages: readonly JsonObject[], index: number): ProviderFault | undefined {
  const opener = messages.slice(0, index).findLast((message) => message.role !== 'tool');
  const id = asText(messages[index]?.tool_call_id) ?? '';
  if (opener && toolCallIds(opener).includes(id)) return undefined;
  const text =
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
  return invalidRequest(text, `messages.[${index}].role`);
}

function unansweredFault(messages: readonly JsonObject[], index: number): ProviderFault | undefined {
  const rest = messages.slice(index + 1);
  const end = rest.findIndex((message) => message.role !== 'tool');
  const answered = rest.slice(0, end < 0 ? rest.length : end).map((message) => message.tool_call_id);
  const missing = toolCallIds(messages[index] ?? {}).filter((id) => !answered.includes(id));
  if (missing.length === 0) return undefined;
  const text =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${missing.join(', ')}`;
  return invalidRequest(text, `messages.[${index + 1}].role`);
}

function toolCallIds(message: JsonObject): readonly string[] {
  return asList(message.tool_calls).map((call) => asText(asObject(call)?.id) ?? '');
}
