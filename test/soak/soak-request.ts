import type { Asked as AskedOfMix } from '../support/money/caller';
import type { Question } from './question';

/** One request, and what its caller got for it. `gateway`: which one he asked. */
export type Asked = AskedOfMix &
  Readonly<{
    gateway: number;
    question: Question;
    sentAtMs: number;
    endedAtMs: number;
    retryAfter: string | null;
  }>;

type Told = Readonly<{ status: number | null; headers: Headers; text: string }>;

export type Place = Readonly<{ gateway: number; url: string; key: string; callerId: string }>;

const NOTHING: Told = { status: null, headers: new Headers(), text: '' };

/** Sends a question; `leaveAfterMs`: when its caller has heard enough, null: he stays to the end. */
export async function askAt(place: Place, question: Question, leaveAfterMs: number | null): Promise<Asked> {
  const sentAtMs = Date.now();
  const leave = new AbortController();
  const timer = leaveAfterMs === null ? undefined : setTimeout(() => leave.abort(), leaveAfterMs);
  let told = NOTHING;
  let end: Asked['end'];
  try {
    const response = await fetch(
      `${place.url}/v1/chat/completions`,
      requestOf(place, question, leave.signal),
    );
    told = { status: response.status, headers: response.headers, text: '' };
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      told = { ...told, text: told.text + decoder.decode(piece, { stream: true }) };
    }
    end = endOf(question, told);
  } catch {
    end = leave.signal.aborted ? 'left' : 'lost';
  } finally {
    clearTimeout(timer);
  }
  const { status, headers, text } = told;
  return {
    tag: question.tag,
    callerId: place.callerId,
    gateway: place.gateway,
    question,
    sentAtMs,
    endedAtMs: Date.now(),
    end,
    status,
    requestId: headers.get('x-request-id'),
    replayed: headers.has('idempotent-replayed'),
    retryAfter: headers.get('retry-after'),
    text,
  };
}

function requestOf(
  { key, callerId }: Place,
  { idempotencyKey, body }: Question,
  signal: AbortSignal,
): RequestInit {
  return {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-client-request-id': callerId,
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
  };
}

/** A stream says by itself whether it is complete. */
function endOf({ stream }: Question, { status, text }: Told): Asked['end'] {
  if (status !== 200) return 'refused';
  if (!stream || text.includes('data: [DONE]')) return 'answered';
  return text.includes('data: {"error"') ? 'broken' : 'lost';
}

/** The code of the error that a caller was told; null: it has none, so it isn't one of ours. */
export function codeOf({ text, end }: Pick<Asked, 'text' | 'end'>): string | null {
  const body = end === 'broken' ? text.slice(text.lastIndexOf('data: {"error"') + 'data: '.length) : text;
  try {
    const { error } = JSON.parse(body) as { error?: { code?: string | null; type?: string } };
    return error?.code ?? error?.type ?? null;
  } catch {
    return null;
  }
}
