import { setTimeout as pause } from 'node:timers/promises';
import type { SoakGateway } from './soak-gateway';

const REPEAT_EVERY_MS = 200;
const GIVE_UP_MS = 60_000;

/** What an operator does, at whichever gateway answers. */
export class SoakAdmin {
  constructor(
    private readonly gateways: readonly SoakGateway[],
    private readonly operator: string,
  ) {}

  read(path: string): Promise<Readonly<Record<string, unknown>>> {
    return this.write('GET', path);
  }

  /** Asks until one of them has done it. What is done twice has to come to the same. */
  async write(
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const untilMs = Date.now() + GIVE_UP_MS;
    for (let turn = 0; ; turn += 1) {
      const { url } = this.gateways[turn % this.gateways.length]!;
      const response = await fetch(`${url}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${this.operator}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      }).catch(() => null);
      if (response?.ok === true) return (await response.json()) as Readonly<Record<string, unknown>>;
      const isOver = Date.now() > untilMs || (response !== null && response.status < 500);
      if (isOver) throw new Error(`${method} ${path}: ${response?.status} ${await response?.text()}`);
      await pause(REPEAT_EVERY_MS);
    }
  }
}
