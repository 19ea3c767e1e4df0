const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** OpenAI has the same rule, so a name that breaks it is wrong on any route. */
export const TOOL_NAME_RULE = 'must be 1 to 64 letters, digits, underscores or hyphens';

export function isToolName(value: unknown): value is string {
  return typeof value === 'string' && TOOL_NAME.test(value);
}
