import type { Json } from './gateway';

/** One server-sent event of a Chat Completions upstream. */
export function openAiEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** One event of a Messages upstream: named as its type. */
export function anthropicEvent(data: Readonly<{ type: string; [member: string]: unknown }>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';

/** A Chat Completions chunk with one choice. */
export function openAiChunk(delta: object, finishReason: string | null = null): string {
  return openAiEvent({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}

export const MESSAGE_START = anthropicEvent({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 8, output_tokens: 1 },
  },
});
export const PING = anthropicEvent({ type: 'ping' });

export function blockStart(index: number, block: object): string {
  return anthropicEvent({ type: 'content_block_start', index, content_block: block });
}

export function blockDelta(index: number, delta: object): string {
  return anthropicEvent({ type: 'content_block_delta', index, delta });
}

export function blockStop(index: number): string {
  return anthropicEvent({ type: 'content_block_stop', index });
}

export function messageEnd(stopReason: string, outputTokens = 5): string {
  return (
    anthropicEvent({
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }) + anthropicEvent({ type: 'message_stop' })
  );
}

/** What the gateway streamed, taken apart. */
export type StreamText = Readonly<{
  chunks: readonly Json[];
  /** The error event, if there was one. */
  error: Json | null;
  content: string;
  done: boolean;
}>;

/** Takes a response body apart; every data event but `[DONE]` has to be JSON. */
export function readStream(text: string): StreamText {
  const data = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length));
  const parsed = data.filter((event) => event !== '[DONE]').map((event) => JSON.parse(event) as Json);
  const chunks = parsed.filter((event) => !('error' in event));
  return {
    chunks,
    error: parsed.find((event) => 'error' in event) ?? null,
    content: chunks.map(({ choices }) => choices![0]?.['delta']!['content'] ?? '').join(''),
    done: data.at(-1) === '[DONE]',
  };
}
