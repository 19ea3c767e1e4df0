import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { RecordedAnswer, RecordedChoice } from './recorded-fixture';

type Message = ChatCompletion['choices'][number]['message'];
type ToolCall = NonNullable<Message['tool_calls']>[number];

/** Members that the official types don't know, under the names that the dialects give them. */
type Reasoning = Readonly<{ reasoning_content?: string | null; reasoning?: string | null }>;

/** What the official client holds in its hands, in the words of the table. */
export function viewOf(completion: ChatCompletion): Omit<RecordedAnswer, 'fixture' | 'billed'> {
  return { choices: completion.choices.map(choiceView), usage: usageView(completion.usage) };
}

function choiceView({ message, finish_reason }: ChatCompletion['choices'][number]): RecordedChoice {
  const { reasoning_content, reasoning } = message as Reasoning;
  const thought = reasoning_content ?? reasoning ?? '';
  const { function_call: called } = message;
  return {
    text: message.content ?? '',
    ...(message.refusal ? { refusal: message.refusal } : {}),
    ...(thought === '' ? {} : { reasoning: thought }),
    ...(message.tool_calls?.length ? { toolCalls: message.tool_calls.map(callView) } : {}),
    ...(called ? { functionCall: { name: called.name, arguments: called.arguments } } : {}),
    finishReason: finish_reason,
  };
}

function callView(call: ToolCall): NonNullable<RecordedChoice['toolCalls']>[number] {
  return call.type === 'custom'
    ? { id: call.id, name: call.custom.name, arguments: call.custom.input }
    : { id: call.id, name: call.function.name, arguments: call.function.arguments };
}

function usageView(usage: ChatCompletion['usage']): RecordedAnswer['usage'] {
  if (!usage) return null;
  return {
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    total: usage.total_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? null,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? null,
  };
}

/** The row as a client should see it: where the provider sent no id, any that the gateway minted will do. */
export function expectedView({ choices, usage }: RecordedAnswer): object {
  return { choices: choices.map(expectedChoice), usage };
}

function expectedChoice(choice: RecordedChoice): object {
  if (choice.toolCalls === undefined) return choice;
  return {
    ...choice,
    toolCalls: choice.toolCalls.map((call) => ({
      ...call,
      id: call.id ?? (expect.stringMatching(/^call_\w{8,40}$/) as unknown),
    })),
  };
}

/** Without reasoning: the official stream helper doesn't join members that it doesn't know. */
export function withoutReasoning<View extends Pick<RecordedAnswer, 'choices'>>(view: View): View {
  return { ...view, choices: view.choices.map(({ reasoning: _reasoning, ...choice }) => choice) };
}
