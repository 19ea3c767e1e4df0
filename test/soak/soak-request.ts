import type { Asked as AskedOfMix } from '../support/money/caller';
import { CallerRequest } from '../support/money/caller-request';
import type { Question } from './question';

/** One request, and what its caller got for it. `gateway`: which one he asked. */
export type Asked = AskedOfMix &
  Readonly<{ gateway: number; question: Question; sentAtMs: number; endedAtMs: number }>;

type Place = Readonly<{ gateway: number; url: string; key: string }>;

/** Sends a question; `leaveAfterMs`: when its caller has heard enough, null: he stays to the end. */
export async function askAt(
  { gateway, url, key }: Place,
  question: Question,
  number: number,
  leaveAfterMs: number | null,
): Promise<Asked> {
  const sentAtMs = Date.now();
  const leaving = leaveAfterMs === null ? null : { afterMs: leaveAfterMs };
  const request = new CallerRequest({ ...question, service: null }, number, leaving);
  const asked = await request.send(url, key);
  return { ...asked, gateway, question, sentAtMs, endedAtMs: Date.now() };
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
