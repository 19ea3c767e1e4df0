import type { JsonObject } from './json-value';

/** A chat request as the simulated model reads it, the same for both wires. */
export type Prompt = Readonly<{
  model: string;
  delivery: 'whole' | 'stream';
  /** Whether the caller of a stream asked for usage (Anthropic streams always carry it). */
  usageFrame: 'wanted' | 'unwanted';
  choiceCount: number;
  /** All text of the conversation, system included: what input tokens are counted over. */
  inputText: string;
  lastUserText: string;
  /** Results that the last turn brings; the model then answers about them. */
  toolResults: readonly string[];
  tools: readonly PromptTool[];
  toolChoice: ToolChoice;
  parallelToolCalls: 'allowed' | 'forbidden';
  outputSchema: JsonObject | undefined;
  maxTokens: number | undefined;
  stopSequences: readonly string[];
}>;

export type PromptTool = Readonly<{ name: string; schema: JsonObject }>;

export type ToolChoice = 'auto' | 'none' | 'required' | Readonly<{ name: string }>;
