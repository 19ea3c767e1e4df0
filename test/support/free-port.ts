import { createServer, type AddressInfo } from 'node:net';

/** A port on loopback that nobody listens on: for what has to come back on the same one. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
