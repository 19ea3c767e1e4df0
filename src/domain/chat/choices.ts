import type { ChatRequest } from './chat-request';

/** How many answers are asked for (`n`); each has the whole output limit for itself. */
export function choicesOf({ body }: Pick<ChatRequest, 'body'>): number {
  return typeof body.n === 'number' ? body.n : 1;
}
