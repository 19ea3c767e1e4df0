import type { IncomingMessage } from 'node:http';

export type RequestBody = Readonly<{ kind: 'received'; text: string }> | Readonly<{ kind: 'aborted' }>;

/** The whole body as text; `aborted` when the caller left before its end. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return { kind: 'aborted' };
  }
  return { kind: 'received', text: Buffer.concat(chunks).toString('utf8') };
}
