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

/** Reads a Messages body that has passed the request rules. */
export function readAnthropicPrompt(body: JsonObject): Prompt {
  const turns = objectsIn(body.messages);
  const lastUserTurn = turns.findLast((turn) => turn.role === 'user');
  const choice = asObject(body.tool_choice);
  return {
    model: asText(body.model) ?? '',
    delivery: body.stream === true ? 'stream' : 'whole',
    usageFrame: 'wanted',
    choiceCount: 1,
    inputText: textOf(body.system) + turns.map((turn) => textOf(turn.content)).join(''),
    lastUserText: ownTextOf(lastUserTurn?.content),
    toolResults: toolResultsOf(lastUserTurn?.content),
    tools: asList(body.tools).flatMap(toolOf),
    toolChoice: toolChoiceOf(choice),
    parallelToolCalls: choice?.disable_parallel_tool_use === true ? 'forbidden' : 'allowed',
    stopSequences: textsIn(body.stop_sequences),
    maxTokens: asNumber(body.max_tokens),
    outputSchema: asObject(asObject(asObject(body.output_config)?.format)?.schema),
  };
}

/** All text, that of tool results included. */
function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => asText(asObject(block)?.text) ?? textOf(asObject(block)?.content))
    .join('');
}

function ownTextOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => asText(asObject(block)?.text) ?? '')
    .join('');
}

function toolResultsOf(content: JsonValue | undefined): readonly string[] {
  return asList(content).flatMap((block) => {
    const result = asObject(block);
    return result?.type === 'tool_result' ? [textOf(result.content)] : [];
  });
}

function toolOf(tool: JsonValue): readonly PromptTool[] {
  const definition = asObject(tool);
  const schema = asObject(definition?.input_schema);
  return schema ? [{ name: asText(definition?.name) ?? '', schema }] : [];
}

function toolChoiceOf(choice: JsonObject | undefined): ToolChoice {
  switch (asText(choice?.type) ?? 'auto') {
    case 'none':
      return 'none';
    case 'any':
      return 'required';
    case 'tool':
      return { name: asText(choice?.name) ?? '' };
    default:
      return 'auto';
  }
}
