import { Client, type ClientConfig } from 'pg';
import type { SecretUrl } from '../../config/secret-url';
import { CONFIGURATION_CHANNEL } from './configuration-channel';
import { APPLICATION_NAME, CONNECT_TIMEOUT_MS } from './postgres-pool';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export type ConfigurationListenerDeps = Readonly<{
  url: SecretUrl;
  /** Something may have changed: told, or missed while nobody listened. */
  onChange: () => void;
  /** The connection was lost or can't be had; the next try comes by itself. */
  onLost: (error: unknown) => void;
}>;

/**
 * Hears of other processes' changes at once, on a connection of its own. It only hurries the poller: what is lost with a
 * connection is found by the next poll.
 */
export class ConfigurationListener {
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private state: 'listening' | 'stopped' = 'stopped';

  constructor(private readonly deps: ConfigurationListenerDeps) {}

  start(): void {
    if (this.state === 'listening') return;
    this.state = 'listening';
    void this.connect();
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    if (this.timer !== null) clearTimeout(this.timer);
    const { client } = this;
    this.client = null;
    await client?.end();
  }

  private async connect(): Promise<void> {
    const client = new Client(this.settings());
    this.client = client;
    let lost: 'no' | 'yes' = 'no';
    const lose = (error: unknown): void => {
      if (lost === 'yes') return;
      lost = 'yes';
      this.lose(client, error);
    };
    client.on('error', lose).on('end', () => lose(new Error('The connection ended.')));
    client.on('notification', this.deps.onChange);
    try {
      await client.connect();
      await client.query(`listen ${CONFIGURATION_CHANNEL}`);
      this.pauseMs = FIRST_PAUSE_MS;
      // What was told before this moment was told to nobody.
      this.deps.onChange();
    } catch (error) {
      lose(error);
    }
  }

  private lose(client: Client, error: unknown): void {
    client.end().catch(() => undefined);
    if (this.state === 'stopped' || this.client !== client) return;
    this.client = null;
    this.deps.onLost(error);
    this.timer = setTimeout(() => void this.connect(), this.pauseMs);
    // The poller goes on without us, and so may the end of the process.
    this.timer.unref();
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  private settings(): ClientConfig {
    return {
      connectionString: this.deps.url.reveal(),
      application_name: `${APPLICATION_NAME}-listener`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    };
  }
}
