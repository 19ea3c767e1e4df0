import type { ModelContract } from '../../../../domain/catalog/model-contract';
import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import type { ContractDto } from './contract-dto';

/** Our names of a contract's fields, and those of the API. */
const FIELDS: Readonly<Record<keyof ModelContract, keyof ContractDto>> = {
  contextTokens: 'context_tokens',
  maxOutputTokens: 'max_output_tokens',
  streaming: 'streaming',
  tools: 'tools',
  forcedToolChoice: 'forced_tool_choice',
  jsonSchema: 'json_schema',
  jsonObject: 'json_object',
  vision: 'vision',
  files: 'files',
  audio: 'audio',
  multipleChoices: 'multiple_choices',
  logprobs: 'logprobs',
  legacyFunctions: 'legacy_functions',
  prefill: 'prefill',
  midConversationSystem: 'mid_conversation_system',
  sampling: 'sampling',
  thinking: 'thinking',
  effortLevels: 'effort_levels',
  tokenLimitField: 'token_limit_field',
  developerRole: 'developer_role',
  streamOptions: 'stream_options',
  strictBody: 'strict_body',
  reasoningEfforts: 'reasoning_efforts',
};

/** What is stated, and nothing of what isn't. */
export function presentContract(contract: Partial<ModelContract>): JsonObject {
  const stated = Object.entries(contract) as [keyof ModelContract, JsonValue | undefined][];
  return Object.fromEntries(
    stated.filter(([, value]) => value !== undefined).map(([name, value]) => [FIELDS[name], value]),
  );
}

/** The way back: a field that is left out stays out, so that a default can hold. */
export function contractOf(dto: ContractDto | undefined): Partial<ModelContract> {
  const names = Object.keys(FIELDS) as (keyof ModelContract)[];
  const stated = names
    .map((name) => [name, dto?.[FIELDS[name]]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated);
}
