import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { TestGateway } from '../support/gateway';
import type { RecordedAnswer } from './recorded-fixture';

export type Question = Readonly<{ model: string; messages: ChatCompletionMessageParam[]; n?: number }>;

/** A question that the recorded answer could be an answer to. */
export function question(model: string, { choices }: RecordedAnswer): Question {
  const messages = [{ role: 'user' as const, content: 'What did you say?' }];
  return { model, messages, ...(choices.length > 1 ? { n: choices.length } : {}) };
}

export type Streamed = Readonly<{
  completion: ChatCompletion;
  chunks: readonly ChatCompletionChunk[];
  requestId: string | null;
}>;

/** A stream as the official helper accumulates it. */
export async function streamed(gateway: TestGateway, body: Question): Promise<Streamed> {
  let requestId: string | null = null;
  const client = gateway.client().withOptions({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      requestId = response.headers.get('x-request-id');
      return response;
    },
  });
  const chunks: ChatCompletionChunk[] = [];
  const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
  stream.on('chunk', (chunk) => chunks.push(chunk));
  return { completion: await stream.finalChatCompletion(), chunks, requestId };
}
