import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest } from './anthropic-fault';
import { anthropicTurnFault } from './anthropic-turn-rules';
import { anthropicToolFault } from './anthropic-tool-rules';
import { closedSchemaFault } from './closed-schema';
import { asList, asNumber, asObject, asText, isArray, type JsonObject } from '../json-value';
import type { ProviderFault, RequestRules } from '../wire-format';

const VERSIONS = ['2023-01-01', '2023-06-01', '2026-10-21'];
/** Since this version the sampling parameters are unknown fields. */
const VERSION_WITHOUT_SAMPLING = '2026-10-21';
const SAMPLING = ['temperature', 'top_p', 'top_k'];
const FIELDS = [
  ...[
    'model',
    'messages',
    'max_tokens',
    'system',
    'metadata',
    'stop_sequences',
    'stream',
    'tools',
    'tool_choice',
  ],
  ...['thinking', 'output_config', 'service_tier', 'container', 'context_management', 'mcp_servers'],
  ...['inference_geo', 'speed', 'fallbacks', 'cache_control'],
];
const MIN_THINKING_BUDGET = 1024;

type Rule = (body: JsonObject) => string | undefined;

/** The checks of the Messages API in its own words, so that a wrong translation fails here as it would there. */
export function anthropicRequestFault(
  body: JsonObject,
  headers: IncomingHttpHeaders,
  rules: RequestRules,
): ProviderFault | undefined {
  const version = asText(headers['anthropic-version']);
  const checks: readonly (() => string | undefined)[] = [
    () => versionFault(version),
    () => unknownFieldFault(body, version),
    ...BODY_RULES.map((rule) => () => rule(body)),
    () => anthropicToolFault(body),
    () => anthropicTurnFault(body, rules),
  ];
  for (const check of checks) {
    const message = check();
    if (message !== undefined) return invalidRequest(message);
  }
  return undefined;
}

function versionFault(version: string | undefined): string | undefined {
  if (version === undefined) return 'anthropic-version: header is required';
  return VERSIONS.includes(version) ? undefined : `anthropic-version: "${version}" is not a valid version`;
}

function unknownFieldFault(body: JsonObject, version: string | undefined): string | undefined {
  const known = version === VERSION_WITHOUT_SAMPLING ? FIELDS : [...FIELDS, ...SAMPLING];
  const unknown = Object.keys(body).find((field) => !known.includes(field));
  return unknown === undefined ? undefined : `${unknown}: Extra inputs are not permitted`;
}

const BODY_RULES: readonly Rule[] = [
  ({ model }) => (asText(model) ? undefined : 'model: Field required'),
  ({ max_tokens }) => (max_tokens === undefined ? 'max_tokens: Field required' : undefined),
  ({ max_tokens }) =>
    Number.isInteger(max_tokens) && Number(max_tokens) >= 0
      ? undefined
      : 'max_tokens: Input should be a valid integer greater than or equal to 0',
  ({ messages }) => (messages === undefined ? 'messages: Field required' : undefined),
  ({ messages }) => (isArray(messages) ? undefined : 'messages: Input should be a valid array'),
  ({ messages }) => (asList(messages).length > 0 ? undefined : 'messages: at least one message is required'),
  (body) => rangeFault(body, 'temperature'),
  (body) => rangeFault(body, 'top_p'),
  ({ temperature, top_p }) =>
    temperature !== undefined && top_p !== undefined
      ? '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
      : undefined,
  stopSequenceFault,
  systemFault,
  metadataFault,
  thinkingFault,
  outputFormatFault,
];

function rangeFault(body: JsonObject, field: string): string | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  const number = asNumber(value);
  if (number === undefined) return `${field}: Input should be a valid number`;
  if (number > 1) return `${field}: Input should be less than or equal to 1`;
  return number < 0 ? `${field}: Input should be greater than or equal to 0` : undefined;
}

function stopSequenceFault({ stop_sequences }: JsonObject): string | undefined {
  if (stop_sequences === undefined) return undefined;
  if (!isArray(stop_sequences)) return 'stop_sequences: Input should be a valid array';
  const blank = stop_sequences.some((sequence) => (asText(sequence) ?? '').trim() === '');
  return blank ? 'stop_sequences: each stop sequence must contain non-whitespace' : undefined;
}

function systemFault({ system }: JsonObject): string | undefined {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!isArray(system)) return 'system: Input should be a valid array';
  const texts = system.map((block) => asText(asObject(block)?.text));
  if (texts.includes(undefined)) return 'system.0.text: Field required';
  return texts.some((text) => text?.trim() === '')
    ? 'system: text content blocks must be non-empty'
    : undefined;
}

function metadataFault({ metadata }: JsonObject): string | undefined {
  const unknown = Object.keys(asObject(metadata) ?? {}).find((field) => field !== 'user_id');
  return unknown === undefined ? undefined : `metadata.${unknown}: Extra inputs are not permitted`;
}

function thinkingFault(body: JsonObject): string | undefined {
  const thinking = asObject(body.thinking);
  if (thinking?.type !== 'enabled') return undefined;
  const budget = asNumber(thinking.budget_tokens) ?? 0;
  if (budget < MIN_THINKING_BUDGET) {
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_THINKING_BUDGET}`;
  }
  return budget >= Number(body.max_tokens)
    ? '`max_tokens` must be greater than `thinking.budget_tokens`.'
    : thinkingConflict(body);
}

function thinkingConflict({ temperature, tool_choice }: JsonObject): string | undefined {
  if (temperature !== undefined && temperature !== 1)
    return '`temperature` may only be set to 1 when thinking is enabled.';
  const isForced = ['any', 'tool'].includes(asText(asObject(tool_choice)?.type) ?? '');
  return isForced ? 'Thinking may not be enabled when tool_choice forces tool use.' : undefined;
}

function outputFormatFault({ output_config }: JsonObject): string | undefined {
  const format = asObject(asObject(output_config)?.format);
  if (!format) return undefined;
  if (format.type !== 'json_schema') return "output_config.format.type: Input should be 'json_schema'";
  const schema = asObject(format.schema);
  if (!schema) return 'output_config.format.schema: Field required';
  const fault = closedSchemaFault(schema);
  return fault && `output_config.format.schema: ${fault}`;
}
