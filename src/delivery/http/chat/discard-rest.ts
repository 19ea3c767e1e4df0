import type { IncomingMessage } from 'node:http';

/** How long a refused caller may go on sending. */
const LINGER_MS = 5_000;

/**
 * Takes what a refused caller still sends. Closing at once would reset the connection under his writes, and many clients
 * then report a broken pipe instead of reading why they were refused.
 */
export function discardRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  // Node doesn't tell the end of a request whose response closed the connection: a stopping process must not wait for it.
  const cut = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('close', () => clearTimeout(cut));
  req.resume();
}
