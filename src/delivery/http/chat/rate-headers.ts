import type { ServerResponse } from 'node:http';
import type { KeyRate } from '../../../usecase/chat/admit-key';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** What the caller's key has left, on every answer to it (HEADERS §4). Set before anything else is known of the request. */
export function setRateHeaders(res: ServerResponse, { limit, remaining, resetMs }: KeyRate): void {
  res.setHeader('x-ratelimit-limit-requests', limit);
  res.setHeader('x-ratelimit-remaining-requests', remaining);
  res.setHeader('x-ratelimit-reset-requests', durationOf(resetMs));
}

/** A duration as OpenAI writes it: `12ms`, `1s`, `59.5s`, `1m0s`. */
export function durationOf(ms: number): string {
  if (ms < SECOND_MS) return `${ms}ms`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const seconds = `${(ms % MINUTE_MS) / SECOND_MS}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}
