import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { closedSchema } from './closed-schema';
import { complexityOf } from './schema-complexity';
import { isToolName, TOOL_NAME_RULE } from './tool-name';
import { gate, given, isList, reject, translateEach, type Scope, type Translated } from './translation';

export type Tool = JsonObject & Readonly<{ name: string }>;

/** Anthropic's limits on strict tools, over all of them (structured outputs guide). */
const MAX_STRICT_TOOLS = 20;
const MAX_OPTIONAL_PARAMETERS = 24;
const MAX_UNIONS = 16;

const COMBINATIONS = ['anyOf', 'oneOf', 'allOf', '$ref'];

export function toolsOf(body: JsonObject, scope: Scope): Translated<readonly Tool[]> {
  const tools = given(body, 'tools') ?? [];
  if (!isList(tools)) return reject('tools', 'must be a list');
  const translated = translateEach(tools, (tool, index) => toolOf(tool, `tools[${index}]`, scope));
  if (!translated.ok) return translated;
  const names = new Set<string>();
  for (const [index, { name }] of translated.value.entries()) {
    if (names.has(name)) return reject(`tools[${index}].function.name`, 'is the name of another tool');
    names.add(name);
  }
  return strictWithinLimits(translated.value) ? translated : gate('tools', STRICT_LIMITS);
}

const STRICT_LIMITS =
  `exceed what this model can guarantee: ${MAX_STRICT_TOOLS} strict tools, ` +
  `${MAX_OPTIONAL_PARAMETERS} optional parameters, ${MAX_UNIONS} unions`;

function strictWithinLimits(tools: readonly Tool[]): boolean {
  const sizes = tools.filter((tool) => tool.strict === true).map((tool) => complexityOf(tool.input_schema));
  const optional = sizes.reduce((sum, size) => sum + size.optionalParameters, 0);
  const unions = sizes.reduce((sum, size) => sum + size.unions, 0);
  return sizes.length <= MAX_STRICT_TOOLS && optional <= MAX_OPTIONAL_PARAMETERS && unions <= MAX_UNIONS;
}

function toolOf(tool: JsonValue, param: string, scope: Scope): Translated<Tool> {
  if (!isJsonObject(tool)) return reject(param, 'must be an object');
  if (given(tool, 'type') !== 'function') {
    return gate(`${param}.type`, 'only tools of type "function" can be offered to this model');
  }
  const definition = given(tool, 'function');
  const name = isJsonObject(definition) ? given(definition, 'name') : undefined;
  if (!isJsonObject(definition) || !isToolName(name)) return reject(`${param}.function.name`, TOOL_NAME_RULE);
  const description = given(definition, 'description');
  const head = { name, ...(typeof description === 'string' ? { description } : {}) };
  const root = rootSchema(given(definition, 'parameters'), `${param}.function.parameters`);
  if (!root.ok) return root;
  if (given(definition, 'strict') !== true) return ok({ ...head, input_schema: root.value });
  return strictTool(head, root.value, `${param}.function`, scope);
}

function strictTool(head: Tool, root: JsonObject, param: string, scope: Scope): Translated<Tool> {
  if (!scope.contract.jsonSchema) return gate(`${param}.strict`, "this model can't guarantee a schema");
  const closed = closedSchema(root, `${param}.parameters`, 'strict');
  return closed.ok ? ok({ ...head, input_schema: closed.value.schema, strict: true }) : closed;
}

/** Anthropic wants a plain object at the root. A schema that names no type there is taken as one. */
function rootSchema(parameters: JsonValue | undefined, param: string): Translated<JsonObject> {
  if (parameters === undefined) return ok({ type: 'object', properties: {} });
  if (!isJsonObject(parameters)) return reject(param, 'must be a JSON schema');
  if (Object.keys(parameters).length === 0) return ok({ type: 'object', properties: {} });
  const combination = COMBINATIONS.find((keyword) => given(parameters, keyword) !== undefined);
  if (combination !== undefined)
    return gate(param, `must not have ${combination} at its root for this model`);
  const type = given(parameters, 'type');
  if (type === undefined) return ok({ ...parameters, type: 'object' });
  return type === 'object' ? ok(parameters) : gate(param, 'must describe an object for this model');
}

/** Definitions for a history with tool calls in a request that offers no tools: some platforms refuse calls without them. */
export function openTools(names: readonly string[]): readonly Tool[] {
  return names.map((name) => ({ name, input_schema: { type: 'object' } }));
}
