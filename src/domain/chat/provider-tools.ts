import { isJsonObject, type JsonObject } from '../kernel/json';

/** Tool types that the caller runs himself; every other type runs at the provider (WIRE §5.1). */
const CALLER_TOOL_TYPES: readonly unknown[] = ['function', 'custom', undefined];

/** Whether the provider may run tools of its own for this request, whose effects a replay would repeat (DESIGN §6). */
export function runsProviderTools(body: JsonObject): boolean {
  if (isJsonObject(body.web_search_options)) return true;
  const { tools } = body;
  return (
    Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && !CALLER_TOOL_TYPES.includes(tool.type))
  );
}
