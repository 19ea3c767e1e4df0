import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { sendText } from '../../../../src/delivery/http/admin/send-text';

const PIECE = 'x'.repeat(64 * 1024);

describe('long text over HTTP', () => {
  let server: Server;
  let made = 0;
  let ended = false;

  async function* pieces(count: number, failAt = Infinity): AsyncGenerator<string> {
    try {
      for (let number = 0; number < count; number += 1) {
        if (number === failAt) throw new Error('the store is gone');
        made += 1;
        yield PIECE;
      }
    } finally {
      ended = true;
    }
  }

  const serve = async (text: () => AsyncIterable<string>): Promise<number> => {
    made = 0;
    ended = false;
    const app = express().get('/', (_req, res) => sendText(res, text()));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is made no faster than the caller reads, and ends when he leaves', async () => {
    const port = await serve(() => pieces(100_000));
    const request = get({ port, host: '127.0.0.1' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    let before = -1;
    // Until the buffers of both ends are full.
    while (before !== made) {
      before = made;
      await sleep(100);
    }

    expect(made).toBeLessThan(1_000);
    request.destroy();
    while (!ended) await sleep(10);
    expect(made).toBeLessThan(1_000);
  });

  it('is cut off where it fails midway, so that nobody takes it for whole', async () => {
    const port = await serve(() => pieces(10, 5));

    const reading = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());

    await expect(reading).rejects.toThrow();
  });
});
