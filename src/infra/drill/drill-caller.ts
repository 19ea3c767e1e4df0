import { isJsonObject, type JsonObject } from '../../domain/kernel/json';
import type { SeenAnswer } from '../../usecase/port/rehearsal-stage';

const DONE = '[DONE]';

/** The tenant's app, as a plain HTTP client: it sees what goes over the socket, and never repeats a request by itself. */
export class DrillCaller {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Null: the caller left before the answer was complete. `onOutput` hears when the first bytes of a body are there. */
  async ask(
    body: JsonObject | string,
    leave: AbortSignal,
    onOutput: () => void = () => undefined,
  ): Promise<SeenAnswer | null> {
    try {
      const response = await fetch(`${this.baseUrl}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal: leave,
      });
      return answerOf(response, await textOf(response, onOutput));
    } catch (error) {
      if (leave.aborted) return null;
      throw new Error('The gateway closed the connection without an answer.', { cause: error });
    }
  }
}

async function textOf({ body }: Response, onOutput: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    onOutput();
  }
  return text;
}

function answerOf({ status, headers }: Response, text: string): SeenAnswer {
  const head = { status, headers: Object.fromEntries(headers) };
  if (!(headers.get('content-type') ?? '').startsWith('text/event-stream')) {
    return { ...head, document: documentOf(text), events: [], form: 'document' };
  }
  const data = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length).trim());
  const events = data.map(documentOf).filter((event) => event !== null);
  return { ...head, document: null, events, form: data.at(-1) === DONE ? 'done' : 'not_done' };
}

function documentOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
