import Redis from 'ioredis';
import type { Logger } from 'pino';
import { loginOf, type RedisAddress } from '../config/redis-address';

export type RedisClient = Redis;

/** Redis is an advantage and no need: whoever waits for it has something better to do soon. */
const CONNECT_MS = 1_000;
const COMMAND_MS = 250;
/** A server that accepts commands and says nothing is as good as gone: the next command fails at once. */
const SILENCE_MS = 1_000;
/** How long a connection that we end may take to end. */
const GOODBYE_MS = 100;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;

export type RedisConnectionOptions = Readonly<{
  address: RedisAddress;
  prefix: string;
  logger: Pick<Logger, 'info' | 'warn'>;
}>;

type State = 'unknown' | 'up' | 'down' | 'closed';

/**
 * The gateway's connections to Redis: one for commands, one for messages. They reconnect by themselves, and while there is no
 * connection a command fails at once instead of waiting for one. Nobody is told by an exception that Redis went away.
 */
export class RedisConnection {
  /** Each command is bounded and may reject: its caller goes on without. */
  readonly commands: RedisClient;
  /** For subscriptions only; subscribed again after a reconnect. */
  readonly messages: RedisClient;
  private state: State = 'unknown';
  private lastError: Error | null = null;
  private readonly upListeners: (() => void)[] = [];

  constructor(private readonly options: RedisConnectionOptions) {
    this.commands = this.client();
    this.messages = this.client();
  }

  /** Connects, and goes on trying. Resolves after the first try, whatever came of it. */
  async open(): Promise<void> {
    const tries = [this.commands, this.messages].map((client) => client.connect());
    await Promise.allSettled(tries);
    if (this.state === 'unknown') this.changeTo('down');
  }

  /** Both connections stand. */
  get isUp(): boolean {
    return this.state === 'up';
  }

  /** The full name of a key or of a message channel. */
  name(name: string): string {
    return this.options.prefix + name;
  }

  /** Calls it each time when Redis is there after it wasn't. */
  onUp(listener: () => void): void {
    this.upListeners.push(listener);
  }

  async close(): Promise<void> {
    this.state = 'closed';
    this.commands.disconnect();
    this.messages.disconnect();
  }

  private client(): RedisClient {
    const { address } = this.options;
    const { host, port, tls, database } = address;
    const client = new Redis({
      host,
      port,
      db: database,
      ...loginOf(address),
      ...(tls ? { tls: {} } : {}),
      // Nothing of RESP3 is used, and not every proxy in front of a Redis speaks it.
      protocol: 2,
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      commandTimeout: COMMAND_MS,
      socketTimeout: SILENCE_MS,
      disconnectTimeout: GOODBYE_MS,
      retryStrategy: retryDelayMs,
    });
    // Without a listener the client writes to the console.
    client.on('error', (error: Error) => (this.lastError = error));
    client.on('ready', () => this.look());
    client.on('close', () => this.look());
    return client;
  }

  private look(): void {
    const stands = this.commands.status === 'ready' && this.messages.status === 'ready';
    if (stands) this.changeTo('up');
    else if (this.state === 'up') this.changeTo('down');
  }

  /** Told once per change, however long it lasts and however many commands fail meanwhile. */
  private changeTo(state: 'up' | 'down'): void {
    if (this.state === state || this.state === 'closed') return;
    const { address, logger } = this.options;
    const redis = address.url.toString();
    this.state = state;
    if (state === 'up') {
      this.lastError = null;
      logger.info({ redis }, 'redis is up');
      for (const listener of this.upListeners) listener();
      return;
    }
    // The message alone: the error object of a refused login holds the password among its arguments.
    logger.warn(
      { redis, reason: this.lastError?.message ?? 'the connection was closed' },
      'redis is away; going on without it',
    );
  }
}

/** Jitter, so that replicas don't come back in step. */
function retryDelayMs(times: number): number {
  const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times, 10));
  return delayMs * (0.75 + Math.random() / 2);
}
