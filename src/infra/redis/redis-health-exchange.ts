import { randomBytes } from 'node:crypto';
import type { OfferingId } from '../../domain/kernel/ids';
import type { HealthMessage, RouteChanges } from './health-message';
import { healthMessage, isSpan, MAX_ROUTES_TOLD, readHealthMessage } from './health-message';
import { HOLD_TRIAL, READ_HEALTH, TELL_HEALTH } from './health-scripts';
import type { RedisConnection } from './redis-connection';

/** A trial whose process has said nothing for so long is nobody's any more; a running one is renewed every few seconds. */
export const TRIAL_HELD_MS = 15_000;

/** What Redis knows of the health of routes, and the messages about it. Everything here may reject, within the client's bounds. */
export class RedisHealthExchange {
  /** By which a process knows its own messages and trials. */
  private readonly self = randomBytes(12).toString('base64url');
  private hear: (message: HealthMessage | null) => void = () => undefined;

  constructor(private readonly redis: RedisConnection) {
    redis.messages.on('message', (_channel: string, text: string) => {
      const message = readHealthMessage(text);
      if (message?.from !== this.self) this.hear(message);
    });
  }

  get isUp(): boolean {
    return this.redis.isUp;
  }

  /** Begins or goes on listening; null is a message that nobody understands. Asked again, it finds out a lost connection. */
  async listen(hear: (message: HealthMessage | null) => void): Promise<void> {
    this.hear = hear;
    await this.redis.messages.subscribe(this.name('changes'));
  }

  async tell(routes: readonly RouteChanges[]): Promise<void> {
    for (let from = 0; from < routes.length; from += MAX_ROUTES_TOLD) {
      await this.tellSome(routes.slice(from, from + MAX_ROUTES_TOLD));
    }
  }

  /** All openings and throttles that still run, also those that were told by messages we never got. */
  async read(): Promise<readonly RouteChanges[]> {
    const found = await this.redis.commands.eval(
      READ_HEALTH,
      2,
      this.name('circuits'),
      this.name('throttles'),
    );
    const [circuits = [], throttles = []] = found as readonly (readonly unknown[])[];
    return [...spans('opened', circuits), ...spans('throttled', throttles)];
  }

  /** Takes or keeps the trial slot of a route; false: another process has it. */
  async holdTrial(route: OfferingId): Promise<boolean> {
    const held = await this.redis.commands.eval(HOLD_TRIAL, 1, this.trial(route), this.self, TRIAL_HELD_MS);
    return held === 1;
  }

  async isTrialHeld(route: OfferingId): Promise<boolean> {
    return (await this.redis.commands.exists(this.trial(route))) === 1;
  }

  private async tellSome(routes: readonly RouteChanges[]): Promise<void> {
    const told = routes.flatMap(({ route, changes }) =>
      changes.map((change) => [change.kind, route, 'forMs' in change ? change.forMs : 0]),
    );
    if (told.length === 0) return;
    const message = healthMessage({ from: this.self, routes });
    const keys = [this.name('circuits'), this.name('throttles'), this.name('trial')];
    await this.redis.commands.eval(
      TELL_HEALTH,
      keys.length,
      ...keys,
      this.name('changes'),
      message,
      this.self,
      ...told.flat(),
    );
  }

  private trial(route: OfferingId): string {
    return `${this.name('trial')}:${route}`;
  }

  private name(name: string): string {
    return this.redis.name(`health:${name}`);
  }
}

/** Pairs of route and remaining milliseconds; what can't be one is left out. */
function spans(kind: 'opened' | 'throttled', pairs: readonly unknown[]): readonly RouteChanges[] {
  const found: RouteChanges[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const route = pairs[at];
    const forMs = pairs[at + 1];
    if (typeof route === 'string' && isSpan(forMs)) found.push({ route, changes: [{ kind, forMs }] });
  }
  return found;
}
