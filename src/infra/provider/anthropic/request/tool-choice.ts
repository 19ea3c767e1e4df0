import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { openTools, type Tool } from './tool-definition';
import { gate, given, isList, reject, type Scope, type Translated } from './translation';

/** Tools as they are offered, and whether the model must, may or must not call one. */
export type ToolOffer = Readonly<{
  tools: readonly Tool[];
  /** Undefined: the model decides, as by default. */
  choice: JsonObject | undefined;
  isForced: boolean;
}>;

type Wish =
  | Readonly<{ mode: 'default' | 'auto' | 'none' }>
  | Readonly<{ mode: 'required' }>
  | Readonly<{ mode: 'named'; name: string }>;

/** WIRE §5.2. `calledTools`: what the history calls; it's declared when the request itself offers no tools. */
export function toolOfferOf(
  body: JsonObject,
  tools: readonly Tool[],
  calledTools: readonly string[],
  scope: Scope,
): Translated<ToolOffer> {
  const wished = wishOf(given(body, 'tool_choice'), tools);
  if (!wished.ok) return wished;
  const { wish, offered } = wished.value;
  const isForced = wish.mode === 'required' || wish.mode === 'named';
  const parallel = given(body, 'parallel_tool_calls') ?? true;
  if (typeof parallel !== 'boolean') return reject('parallel_tool_calls', 'must be true or false');
  if (tools.length === 0)
    return isForced ? reject('tool_choice', 'needs tools to choose from') : ok(historyOffer(calledTools));
  // Weakening it to `auto` would break a program that relies on a call.
  if (isForced && !scope.contract.forcedToolChoice) {
    return gate('tool_choice', "this model can't be made to call a tool");
  }
  return ok({
    tools: offered,
    choice: choiceOf(wish, parallel ? {} : { disable_parallel_tool_use: true }),
    isForced,
  });
}

function historyOffer(calledTools: readonly string[]): ToolOffer {
  const choice = calledTools.length > 0 ? { type: 'none' } : undefined;
  return { tools: openTools(calledTools), choice, isForced: false };
}

function choiceOf(wish: Wish, single: JsonObject): JsonObject | undefined {
  switch (wish.mode) {
    case 'default':
      return 'disable_parallel_tool_use' in single ? { type: 'auto', ...single } : undefined;
    case 'auto':
      return { type: 'auto', ...single };
    case 'none':
      return { type: 'none' };
    case 'required':
      return { type: 'any', ...single };
    case 'named':
      return { type: 'tool', name: wish.name, ...single };
  }
}

type Wished = Readonly<{ wish: Wish; offered: readonly Tool[] }>;

function wishOf(choice: JsonValue | undefined, tools: readonly Tool[]): Translated<Wished> {
  if (choice === undefined) return ok({ wish: { mode: 'default' }, offered: tools });
  if (choice === 'auto' || choice === 'none' || choice === 'required') {
    return ok({ wish: { mode: choice }, offered: tools });
  }
  if (!isJsonObject(choice)) return reject('tool_choice', 'must be none, auto, required, or an object');
  const type = given(choice, 'type');
  if (type === 'function') return namedTool(choice, tools);
  if (type === 'allowed_tools') return allowedTools(choice, tools);
  if (type === 'custom')
    return gate('tool_choice', 'only tools of type "function" can be chosen on this model');
  return reject('tool_choice.type', 'must be function, allowed_tools or custom');
}

function namedTool(choice: JsonObject, tools: readonly Tool[]): Translated<Wished> {
  const name = functionNameOf(choice);
  if (name === undefined) return reject('tool_choice.function.name', 'must name a tool');
  if (tools.length > 0 && !tools.some((tool) => tool.name === name)) {
    return reject('tool_choice.function.name', 'names a tool that the request does not offer');
  }
  return ok({ wish: { mode: 'named', name }, offered: tools });
}

function allowedTools(choice: JsonObject, tools: readonly Tool[]): Translated<Wished> {
  const allowed = given(choice, 'allowed_tools');
  const listed = isJsonObject(allowed) ? given(allowed, 'tools') : undefined;
  const mode = isJsonObject(allowed) ? given(allowed, 'mode') : undefined;
  if (mode !== 'auto' && mode !== 'required')
    return reject('tool_choice.allowed_tools.mode', 'must be auto or required');
  if (!isList(listed) || listed.length === 0)
    return reject('tool_choice.allowed_tools.tools', 'must list tools');
  const names = listed.map((tool) => (isJsonObject(tool) ? functionNameOf(tool) : undefined));
  const known = new Set(tools.map((tool) => tool.name));
  if (names.some((name) => name === undefined || !known.has(name))) {
    return reject('tool_choice.allowed_tools.tools', 'names a tool that the request does not offer');
  }
  return ok({ wish: { mode }, offered: tools.filter((tool) => names.includes(tool.name)) });
}

function functionNameOf(tool: JsonObject): string | undefined {
  const called = given(tool, 'function');
  const name = isJsonObject(called) ? given(called, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}
