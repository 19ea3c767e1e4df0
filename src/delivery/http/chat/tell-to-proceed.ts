import type { ServerResponse } from 'node:http';

const WAITS = /(?:^|\W)100-continue(?:$|\W)/i;

/** Tells a caller who asked before sending his body to send it (`expect: 100-continue`). */
export function tellToProceed(res: ServerResponse): void {
  if (WAITS.test(res.req.headers.expect ?? '')) res.writeContinue();
}
