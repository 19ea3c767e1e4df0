import type { UpstreamExchange } from './upstream-exchange';

export type WholeBody =
  | Readonly<{ kind: 'text'; text: string }>
  /** More than the limit came; `text` is what fitted, and the socket is closed. */
  | Readonly<{ kind: 'oversized'; text: string }>
  | Readonly<{ kind: 'broken'; error: unknown }>
  | Readonly<{ kind: 'cut' }>;

/** A whole answer with images or log probabilities takes some megabytes; ten times that is no answer. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Reads the rest of a body as UTF-8 text. */
export async function readWholeBody(
  exchange: UpstreamExchange,
  maxBytes: number,
  onActivity: () => void,
): Promise<WholeBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const read = await exchange.read();
    if (read.kind === 'end') return { kind: 'text', text: textOf(chunks) };
    if (read.kind !== 'chunks') return read;
    onActivity();
    for (const chunk of read.chunks) {
      chunks.push(chunk);
      bytes += chunk.length;
    }
    if (bytes > maxBytes) {
      exchange.cut();
      return { kind: 'oversized', text: textOf(chunks).slice(0, maxBytes) };
    }
  }
}

function textOf(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  // A byte order mark and blank lines around JSON (DeepSeek's keep-alives) are no part of the answer.
  return bytes.toString('utf8').trim();
}
