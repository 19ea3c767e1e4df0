import type { ServerResponse } from 'node:http';

/** A caller who takes nothing of the end for so long is cut off, as in the middle of a stream. */
const WRITE_STALL_MS = 60_000;

/** How much he has to take in that time: a kilobyte a second is slow and not stalled. */
const SLICE_BYTES = 64 * 1024;

/**
 * Ends a response with `text`, and cuts off a caller who doesn't take it. Not by the socket's own timeout: whatever he
 * sends meanwhile would start that anew, so he could keep his socket for ever.
 */
export function endResponse(res: ServerResponse, text: string): void {
  const stalled = setTimeout(() => {
    if (waitsForItsTurn(res)) stalled.refresh();
    else res.destroy();
  }, WRITE_STALL_MS);
  res.once('close', () => clearTimeout(stalled));
  // Most answers are short, and then head and body leave in one write.
  if (text.length <= SLICE_BYTES) res.end(text);
  else writeSlices(res, Buffer.from(text), () => stalled.refresh());
}

/** Of pipelined requests on one connection, only the oldest one's response has a socket. */
function waitsForItsTurn(res: ServerResponse): boolean {
  return res.socket === null && !res.req.socket.destroyed;
}

function writeSlices(res: ServerResponse, bytes: Buffer, onTaken: () => void): void {
  if (bytes.length <= SLICE_BYTES) {
    res.end(bytes);
    return;
  }
  res.write(bytes.subarray(0, SLICE_BYTES), (error) => {
    if (error) return;
    onTaken();
    writeSlices(res, bytes.subarray(SLICE_BYTES), onTaken);
  });
}
