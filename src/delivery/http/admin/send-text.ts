import type { Response } from 'express';

/**
 * Sends text as fast as the caller takes it, and makes no more of it meanwhile. The first piece is made before anything is
 * sent, so that a store that is gone is an error; later the connection is cut, which no reader takes for the end.
 */
export async function sendText(res: Response, text: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of text) {
      if (res.closed) return;
      if (!res.write(piece)) await drainedOrGone(res);
    }
    res.end();
  } catch (error) {
    if (!res.headersSent) throw error;
    res.destroy(error as Error);
  }
}

function drainedOrGone(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle);
      res.off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });
}
