import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { endResponse } from '../../../../src/delivery/http/chat/end-response';
import { LoopbackServer } from '../../../support/loopback-server';
import { RawClient } from '../../../support/raw-client';

const ASK = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const LAST_ASK = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
/** More than any socket takes without being read. */
const HUGE = 'x'.repeat(32 * 1024 * 1024);

describe('the end of a response', () => {
  let server: LoopbackServer;
  let taken: (res: ServerResponse) => void;
  let client: RawClient;

  beforeAll(async () => {
    server = await LoopbackServer.start((_req, res) => taken(res));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
    client = await RawClient.connect(server.port);
  });
  afterEach(() => {
    client.leave();
    jest.useRealTimers();
  });

  const ask = async (request = ASK): Promise<ServerResponse> => {
    const arrived = new Promise<ServerResponse>((resolve) => (taken = resolve));
    client.send(request);
    return arrived;
  };

  /** Resolves when the caller's socket and ours have taken all that they take for now. */
  const full = async (res: ServerResponse): Promise<void> => {
    const bytes = (): number => (res.socket?.bytesWritten ?? 0) - (res.socket?.writableLength ?? 0);
    for (let seen = -1, still = 0; still < 50; still += 1) {
      await nextTurn();
      if (bytes() !== seen) still = 0;
      seen = bytes();
    }
  };

  const unread = async (text = HUGE): Promise<ServerResponse> => {
    client.socket.pause();
    const res = await ask();
    endResponse(res, text);
    await full(res);
    return res;
  };

  it.each([
    ['short', 'ü'],
    ['as long as one slice', 'x'.repeat(64 * 1024)],
    ['longer, and cut inside a character', `x${'ü'.repeat(100_000)}`],
  ])('arrives whole where it is %s, and leaves no timer', async (_length, text) => {
    const res = await ask(LAST_ASK);
    res.setHeader('content-length', Buffer.byteLength(text));

    endResponse(res, text);

    const response = await client.toEnd();
    expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toBe(text);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('cuts off a caller who takes nothing of it for 60 s', async () => {
    const res = await unread();
    const closed = once(res, 'close');

    jest.advanceTimersByTime(59_999);
    const before = res.destroyed;
    jest.advanceTimersByTime(1);
    await closed;

    expect(before).toBe(false);
    expect(res.writableFinished).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  // The socket's own timeout began anew with every byte that the caller sent, so he kept his socket for ever.
  it('cuts him off although he keeps sending', async () => {
    const res = await unread();
    const closed = once(res, 'close');

    for (let sent = 0; sent < 4; sent += 1) {
      client.send(sent === 0 ? 'GET / HTTP/1.1\r\nx-slow: ' : 'a');
      await nextTurn();
      jest.advanceTimersByTime(15_000);
    }
    await closed;

    expect(res.writableFinished).toBe(false);
  });

  it('waits for one who goes on reading, however long he takes', async () => {
    const res = await unread();

    for (let read = 0; read < 3; read += 1) {
      jest.advanceTimersByTime(59_000);
      const before = client.received.length;
      client.socket.resume();
      while (client.received.length < before + 4 * 1024 * 1024) await nextTurn();
      client.socket.pause();
      await full(res);
    }
    expect(res.destroyed).toBe(false);
    client.socket.resume();
    await once(res, 'close');

    expect(res.writableFinished).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  describe('while an older request of the connection is answered', () => {
    const pipelined = async (): Promise<readonly [ServerResponse, ServerResponse]> => {
      const first = await ask();
      const second = await ask(LAST_ASK);
      endResponse(second, 'second');
      jest.advanceTimersByTime(200_000);
      return [first, second];
    };

    it('waits for its turn', async () => {
      const [first] = await pipelined();

      first.end('first');

      const response = await client.toEnd();
      expect(response).toContain('first');
      expect(response).toContain('second');
      expect(jest.getTimerCount()).toBe(0);
    });

    it('does not wait for a connection that has closed', async () => {
      const [first, second] = await pipelined();
      client.leave();
      await once(first, 'close');

      jest.advanceTimersByTime(60_000);

      expect(second.destroyed).toBe(true);
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
