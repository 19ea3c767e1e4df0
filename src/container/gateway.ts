import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressRefused } from './address-refused';

/** Longer than load balancers keep their idle connections (60 s is common), so that we never close one that they reuse. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 70_000;
/** How often connections that became idle are closed while draining. */
const DRAIN_STEP_MS = 50;

/** For all parts together, once the last response is over: a connection that hangs must not keep the process. */
const CLOSING_MS = 15_000;

/** What ends each part of the gateway when it stops, in this order; what is opened later is put in front, and so closed earlier. */
export type Closers = (() => Promise<unknown>)[];

export type GatewayParts = Readonly<{
  server: Server;
  /** Makes readiness say that we stop. */
  announceStop: () => void;
  /** How long load balancers have to notice that, before no connection is accepted any more. */
  stopDelayMs: number;
  /** Aborts what still runs. */
  endInteractions: () => void;
  graceMs: number;
  /** For error events and closing records, once everything was told to end. */
  finalMs: number;
  /** After the last response. */
  closers: Readonly<Closers>;
}>;

/** A gateway that listens. */
export class Gateway {
  private stopping: Promise<void> | null = null;
  private readonly sockets = new Set<Socket>();

  constructor(
    readonly baseUrl: string,
    private readonly parts: GatewayParts,
  ) {
    parts.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Tells load balancers, stops accepting, lets running interactions finish within the grace period, ends the rest, and closes everything. */
  stop(): Promise<void> {
    this.stopping ??= this.drain();
    return this.stopping;
  }

  private async drain(): Promise<void> {
    const { server, announceStop, stopDelayMs, graceMs, finalMs, endInteractions, closers } = this.parts;
    announceStop();
    // A caller who keeps asking on one connection would otherwise hold us for the whole grace period. Told during the delay
    // already: a pool that still has the connection when we close it may be sending a request on it, which would be lost.
    const last = (_req: IncomingMessage, res: ServerResponse): void =>
      void res.setHeader('connection', 'close');
    server.prependListener('request', last).prependListener('checkContinue', last);
    if (stopDelayMs > 0) await sleep(stopDelayMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await this.drained(closed, graceMs);
    endInteractions();
    await this.drained(closed, finalMs);
    server.closeAllConnections();
    await closeAll(closers, CLOSING_MS);
  }

  /** Connections turn idle one by one as their responses end, and an idle one would keep the server open. */
  private async drained(closed: Promise<void>, limitMs: number): Promise<void> {
    const until = Date.now() + limitMs;
    let done = false;
    const ended = closed.then(() => (done = true));
    while (!done && Date.now() < until) {
      this.parts.server.closeIdleConnections();
      await Promise.race([ended, sleep(DRAIN_STEP_MS)]);
      this.closeUnused();
    }
  }

  /** Node counts a connection as idle only after its first request; one that browsers and pools opened ahead may never have any. */
  private closeUnused(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** One that fails must not keep the later ones from flushing what they hold; it is reported when all are done. */
export async function closeAll(closers: GatewayParts['closers'], limitMs: number): Promise<void> {
  const failures: unknown[] = [];
  const over = sleep(limitMs, null, { ref: false }).then(() => {
    throw new Error(`It was not closed within ${limitMs} ms.`);
  });
  // Nobody may be waiting by then.
  over.catch(() => undefined);
  for (const close of closers) {
    await Promise.race([close(), over]).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
}

/** Listens; rejects with the reason if the address can't be had. */
export async function listen(
  server: Server,
  address: Readonly<{ host: string; port: number }>,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: NodeJS.ErrnoException): void => reject(addressRefused(cause, address));
    server.once('error', refused);
    server.listen(address.port, address.host, () => {
      server.off('error', refused);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `http://${host}:${port}`;
}

export function httpServer(listener: RequestListener): Server {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS }, listener);
  // Without this Node tells everybody to send his body, before the listener has looked at key and length.
  return server.on('checkContinue', listener);
}
