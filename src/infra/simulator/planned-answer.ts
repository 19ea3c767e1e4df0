import type { AnswerBehaviour, ScriptedToolCall, TokenUsage } from './behaviour';
import { CHARACTERS_PER_TOKEN, tokensIn } from './charge';
import type { Prompt, PromptTool } from './prompt';
import { sampleFor } from './sample-json';

export type StopCause = 'finished' | 'length' | 'tool_calls' | 'stop_sequence' | 'refused';

/** What the simulated model is going to say, before any wire format. */
export type PlannedAnswer = Readonly<{
  model: string;
  reasoning: string;
  text: string;
  /** The text in the pieces in which it is streamed. */
  textChunks: readonly string[];
  refusal?: string;
  toolCalls: readonly PlannedToolCall[];
  stop: StopCause;
  stopSequence?: string;
  /** A scripted finish reason, in the words of the wire. */
  finishReason?: string | null;
  choiceCount: number;
  usage: TokenUsage;
  /** Whether usage is told; a scripted `usage: null` hides it. */
  usageReport: 'told' | 'withheld';
}>;

export type PlannedToolCall = Readonly<{ id?: string; name: string; argumentsText: string }>;

type Content = Pick<PlannedAnswer, 'reasoning' | 'text' | 'toolCalls' | 'stop' | 'stopSequence'>;

/** The answer to a prompt: scripted parts as scripted, everything else made up from the prompt alone. */
export function planAnswer(prompt: Prompt, script: AnswerBehaviour, speaker: string): PlannedAnswer {
  const full = stopAtSequence(contentOf(prompt, script, speaker), prompt.stopSequences);
  const content = fitInto(full, prompt.maxTokens);
  const textChunks = content.text === full.text && script.chunks ? script.chunks : wordsOf(content.text);
  const refused = script.refusal === undefined ? {} : { refusal: script.refusal, stop: 'refused' as const };
  return {
    model: script.model ?? prompt.model,
    ...content,
    ...refused,
    textChunks,
    ...(script.finishReason === undefined ? {} : { finishReason: script.finishReason }),
    choiceCount: prompt.choiceCount,
    usage: { ...usageOf(content, prompt, script.refusal ?? ''), ...script.usage },
    usageReport: script.usage === null ? 'withheld' : 'told',
  };
}

function contentOf(prompt: Prompt, script: AnswerBehaviour, speaker: string): Content {
  const scriptedText = script.text ?? script.chunks?.join('');
  const isScripted = [scriptedText, script.toolCalls, script.refusal].some((part) => part !== undefined);
  const toolCalls = isScripted ? (script.toolCalls ?? []).map(scriptedCall) : chooseToolCalls(prompt);
  const isSilent = isScripted || toolCalls.length > 0;
  return {
    reasoning: script.reasoning ?? '',
    text: scriptedText ?? (isSilent ? '' : inventText(prompt, speaker)),
    toolCalls,
    stop: toolCalls.length > 0 ? 'tool_calls' : 'finished',
  };
}

function scriptedCall(call: ScriptedToolCall): PlannedToolCall {
  const argumentsText =
    typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  return { ...(call.id === undefined ? {} : { id: call.id }), name: call.name, argumentsText };
}

function inventText(prompt: Prompt, speaker: string): string {
  if (prompt.outputSchema) return JSON.stringify(sampleFor(prompt.outputSchema));
  if (prompt.toolResults.length > 0)
    return `${speaker} read these tool results: ${prompt.toolResults.join(' | ')}`;
  return `${speaker} answers: ${prompt.lastUserText}`;
}

/** Forced tool, else the tools named in the question, else the first one; no calls after tool results. */
function chooseToolCalls(prompt: Prompt): PlannedToolCall[] {
  if (prompt.toolChoice === 'none' || prompt.toolResults.length > 0) return [];
  const chosen = candidates(prompt);
  const allowed = prompt.parallelToolCalls === 'allowed' ? chosen : chosen.slice(0, 1);
  return allowed.map((tool) => ({
    name: tool.name,
    argumentsText: JSON.stringify(sampleFor({ type: 'object', ...tool.schema })),
  }));
}

function candidates({ tools, toolChoice, lastUserText }: Prompt): readonly PromptTool[] {
  if (typeof toolChoice === 'object') return tools.filter((tool) => tool.name === toolChoice.name);
  const named = tools.filter((tool) => lastUserText.includes(tool.name));
  return named.length > 0 ? named : tools.slice(0, 1);
}

function stopAtSequence(content: Content, sequences: readonly string[]): Content {
  const hits = sequences
    .map((sequence) => ({ sequence, at: content.text.indexOf(sequence) }))
    .filter((hit) => hit.sequence !== '' && hit.at >= 0)
    .sort((left, right) => left.at - right.at);
  const [first] = hits;
  if (!first) return content;
  return {
    ...content,
    text: content.text.slice(0, first.at),
    toolCalls: [],
    stop: 'stop_sequence',
    stopSequence: first.sequence,
  };
}

/** Reasoning, text and tool arguments share one token limit, in this order. */
function fitInto(content: Content, maxTokens: number | undefined): Content {
  if (maxTokens === undefined || outputTokens(content) <= maxTokens) return content;
  let room = maxTokens * CHARACTERS_PER_TOKEN;
  const take = (text: string): string => {
    const taken = cutText(text, room);
    room -= taken.length;
    return taken;
  };
  const reasoning = take(content.reasoning);
  const text = take(content.text);
  const toolCalls = content.toolCalls.flatMap((call) =>
    room > 0 ? [{ ...call, argumentsText: take(call.argumentsText) }] : [],
  );
  return { reasoning, text, toolCalls, stop: 'length' };
}

/** Never cuts a surrogate pair in two. */
function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function outputTokens(content: Content, extra = ''): number {
  return tokensIn(
    content.reasoning + content.text + extra + content.toolCalls.map((call) => call.argumentsText).join(''),
  );
}

function usageOf(content: Content, prompt: Prompt, refusal: string): TokenUsage {
  return {
    inputTokens: tokensIn(prompt.inputText),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: outputTokens(content, refusal) * prompt.choiceCount,
    reasoningTokens: tokensIn(content.reasoning),
  };
}

/** Words with the space before them, as providers stream them. Joined, they are the text again. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+(\s+$)?|\s+$/g) ?? [];
}

/** JSON arguments in short pieces that respect no token border, but keep characters whole. */
export function argumentPieces(argumentsText: string): readonly string[] {
  return argumentsText.match(/.{1,8}/gsu) ?? [];
}
