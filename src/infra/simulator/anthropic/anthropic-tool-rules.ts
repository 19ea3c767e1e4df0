import { closedSchemaFault } from './closed-schema';
import { asList, asObject, asText, type JsonObject } from '../json-value';

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const TOOL_FIELDS = [
  ...['type', 'name', 'description', 'input_schema', 'strict', 'cache_control', 'defer_loading'],
  ...['eager_input_streaming', 'allowed_callers', 'input_examples'],
];
const CHOICE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  auto: ['type', 'disable_parallel_tool_use'],
  any: ['type', 'disable_parallel_tool_use'],
  tool: ['type', 'name', 'disable_parallel_tool_use'],
  none: ['type'],
};

/** Tool definitions and the tool choice. Server tools are let through by their type alone. */
export function anthropicToolFault(body: JsonObject): string | undefined {
  const tools = asList(body.tools).map((tool) => asObject(tool) ?? {});
  const names = tools.map((tool) => tool.name);
  return (
    tools
      .map((tool, index) => definitionFault(tool, `tools.${index}`))
      .find((fault) => fault !== undefined) ??
    (new Set(names).size < names.length ? 'tools: Tool names must be unique.' : undefined) ??
    choiceFault(body, names)
  );
}

function definitionFault(tool: JsonObject, path: string): string | undefined {
  if (tool.type !== undefined && tool.type !== 'custom') return serverToolFault(tool, path);
  const unknown = Object.keys(tool).find((field) => !TOOL_FIELDS.includes(field));
  if (unknown !== undefined) return `${path}.custom.${unknown}: Extra inputs are not permitted`;
  if (!NAME.test(asText(tool.name) ?? '')) {
    return `${path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  }
  return schemaFault(tool, `${path}.custom.input_schema`);
}

function serverToolFault(tool: JsonObject, path: string): string | undefined {
  return /_\d{8}$/.test(asText(tool.type) ?? '')
    ? undefined
    : `${path}: Input tag '${asText(tool.type) ?? ''}' found using 'type' does not match any of the expected tags`;
}

function schemaFault(tool: JsonObject, path: string): string | undefined {
  const schema = asObject(tool.input_schema);
  if (!schema) return `${path}: Field required`;
  if (schema.type === undefined) return `${path}.type: Field required`;
  if (schema.type !== 'object') return `${path}.type: Input should be 'object'`;
  if ([schema.oneOf, schema.allOf, schema.anyOf].some((combination) => combination !== undefined)) {
    return `${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  }
  const fault = tool.strict === true ? closedSchemaFault(schema) : undefined;
  return fault && `${path}: ${fault}`;
}

function choiceFault(body: JsonObject, names: readonly unknown[]): string | undefined {
  if (body.tool_choice === undefined) return undefined;
  const choice = asObject(body.tool_choice) ?? {};
  const fault = choiceShapeFault(choice, asText(choice.type) ?? '');
  if (fault !== undefined) return fault;
  if (names.length === 0) return 'tool_choice: tool_choice may only be specified while providing tools.';
  if (choice.type !== 'tool' || names.includes(choice.name)) return undefined;
  return `tool_choice.tool.name: Tool '${asText(choice.name) ?? ''}' not found in provided tools`;
}

function choiceShapeFault(choice: JsonObject, type: string): string | undefined {
  const fields = Object.hasOwn(CHOICE_FIELDS, type) ? CHOICE_FIELDS[type] : undefined;
  if (!fields)
    return `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags`;
  const unknown = Object.keys(choice).find((field) => !fields.includes(field));
  return unknown === undefined ? undefined : `tool_choice.${type}.${unknown}: Extra inputs are not permitted`;
}
