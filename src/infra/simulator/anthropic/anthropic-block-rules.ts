import { asList, asObject, asText, isArray, type JsonObject } from '../json-value';

const ID = /^[a-zA-Z0-9_-]+$/;
const ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'";
const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

type BlockRule = Readonly<{
  roles: readonly string[];
  fields: readonly string[];
  check: (block: JsonObject, path: string) => string | undefined;
}>;

const RULES: Readonly<Record<string, BlockRule>> = {
  text: { roles: ['user', 'assistant', 'system'], fields: ['text', 'citations'], check: textFault },
  image: { roles: ['user'], fields: ['source'], check: imageFault },
  document: { roles: ['user'], fields: ['source', 'title', 'context', 'citations'], check: sourceFault },
  tool_use: { roles: ['assistant'], fields: ['id', 'name', 'input', 'caller'], check: toolUseFault },
  tool_result: { roles: ['user'], fields: ['tool_use_id', 'content', 'is_error'], check: toolResultFault },
  thinking: { roles: ['assistant'], fields: ['thinking', 'signature'], check: signatureFault },
  redacted_thinking: { roles: ['assistant'], fields: ['data'], check: () => undefined },
};

/** One content block: known type, right role, no extra fields, ids and names in their pattern. Server tool blocks pass. */
export function anthropicBlockFault(block: JsonObject, role: string, path: string): string | undefined {
  const type = asText(block.type) ?? '';
  if (/^(server_tool_use|mcp_\w+|\w+_tool_result|search_result|container_upload|compaction)$/.test(type))
    return undefined;
  const rule = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
  if (!rule) return `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
  if (!rule.roles.includes(role))
    return `${path}: \`${type}\` blocks are not allowed in \`${role}\` messages`;
  const unknown = Object.keys(block).find(
    (field) => !['type', 'cache_control', ...rule.fields].includes(field),
  );
  if (unknown !== undefined) return `${path}.${type}.${unknown}: Extra inputs are not permitted`;
  return rule.check(block, `${path}.${type}`);
}

function textFault({ text }: JsonObject, path: string): string | undefined {
  if (typeof text !== 'string') return `${path}.text: Field required`;
  if (text === '') return 'messages: text content blocks must be non-empty';
  return text.trim() === '' ? 'messages: text content blocks must contain non-whitespace text' : undefined;
}

function imageFault(block: JsonObject, path: string): string | undefined {
  const source = asObject(block.source);
  const isUnknown = source?.type === 'base64' && !MEDIA_TYPES.includes(asText(source.media_type) ?? '');
  const allowed = MEDIA_TYPES.map((type) => `'${type}'`).join(', ');
  return isUnknown
    ? `${path}.source.base64.media_type: Input should be one of ${allowed}`
    : sourceFault(block, path);
}

function sourceFault(block: JsonObject, path: string): string | undefined {
  return asObject(block.source) ? undefined : `${path}.source: Field required`;
}

function toolUseFault({ id, name, input }: JsonObject, path: string): string | undefined {
  if (!ID.test(asText(id) ?? '')) return `${path}.id: ${ID_PATTERN}`;
  if (!ID.test(asText(name) ?? '')) return `${path}.name: ${ID_PATTERN}`;
  return asObject(input) ? undefined : `${path}.input: Input should be a valid dictionary`;
}

function toolResultFault({ tool_use_id, content }: JsonObject, path: string): string | undefined {
  if (!ID.test(asText(tool_use_id) ?? '')) return `${path}.tool_use_id: ${ID_PATTERN}`;
  if (content === undefined || typeof content === 'string') return undefined;
  if (!isArray(content)) return `${path}.content: Input should be a valid string or array`;
  return asList(content)
    .map((part, index) => anthropicBlockFault(asObject(part) ?? {}, 'user', `${path}.content.${index}`))
    .find((fault) => fault !== undefined);
}

function signatureFault({ signature }: JsonObject, path: string): string | undefined {
  return typeof signature === 'string' ? undefined : `${path}.signature: Field required`;
}
