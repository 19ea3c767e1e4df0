import type { IncomingMessage, ServerResponse } from 'node:http';

const WAITS = /(?:^|\W)100-continue(?:$|\W)/i;

/** Whether the caller asked before sending his body (`expect: 100-continue`). */
export function asksToProceed(req: IncomingMessage): boolean {
  return WAITS.test(req.headers.expect ?? '');
}

/** Tells a caller who asked to send it. */
export function tellToProceed(res: ServerResponse): void {
  if (asksToProceed(res.req)) res.writeContinue();
}
