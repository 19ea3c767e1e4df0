import {
  asList,
  asNumber,
  asObject,
  asText,
  objectsIn,
  textsIn,
  type JsonObject,
  type JsonValue,
} from '../json-value';
import type { Prompt, PromptTool, ToolChoice } from '../prompt';

/** Reads a Chat Completions body that has passed the request rules. */
export function readOpenAiPrompt(body: JsonObject): Prompt {
  const messages = objectsIn(body.messages);
  return {
    model: asText(body.model) ?? '',
    delivery: body.stream === true ? 'stream' : 'whole',
    usageFrame: asObject(body.stream_options)?.include_usage === true ? 'wanted' : 'unwanted',
    choiceCount: asNumber(body.n) ?? 1,
    inputText: messages.map(textOf).join(''),
    lastUserText: textOf(messages.findLast((message) => message.role === 'user') ?? {}),
    toolResults: trailingToolResults(messages),
    tools: asList(body.tools).flatMap(toolOf),
    toolChoice: toolChoiceOf(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls === false ? 'forbidden' : 'allowed',
    stopSequences: typeof body.stop === 'string' ? [body.stop] : textsIn(body.stop),
    maxTokens: asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens),
    outputSchema: outputSchemaOf(asObject(body.response_format)),
  };
}

function textOf(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content;
  return asList(message.content)
    .map((part) => asText(asObject(part)?.text) ?? '')
    .join('');
}

function trailingToolResults(messages: readonly JsonObject[]): readonly string[] {
  const lastOther = messages.findLastIndex((message) => message.role !== 'tool');
  return messages.slice(lastOther + 1).map(textOf);
}

function toolOf(tool: JsonValue): readonly PromptTool[] {
  const definition = asObject(asObject(tool)?.function);
  if (!definition) return [];
  return [{ name: asText(definition.name) ?? '', schema: asObject(definition.parameters) ?? {} }];
}

function toolChoiceOf(choice: JsonValue | undefined): ToolChoice {
  if (choice === 'none' || choice === 'required') return choice;
  const name = asText(asObject(asObject(choice)?.function)?.name);
  return name === undefined ? 'auto' : { name };
}

function outputSchemaOf(format: JsonObject | undefined): JsonObject | undefined {
  if (format?.type === 'json_schema') return asObject(asObject(format.json_schema)?.schema) ?? {};
  if (format?.type !== 'json_object') return undefined;
  return { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
}
