import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port';
import { registerProviders } from '../support/gateway-catalog';
import { haikuFirst, miniFirst } from '../support/gateway-policy';
import { GatewayProcess, type ProcessEnd } from '../support/gateway-process';
import { ForkedProviders } from '../support/money/forked-providers';
import { isRedisInstalled, RedisServer } from '../support/redis-server';
import {
  ANTHROPIC_CREDENTIAL,
  OPENAI_CREDENTIAL,
  PROVIDERS_ENVIRONMENT,
} from '../support/simulated-providers';
import { TENANTS, type SoakTenant } from './question';
import { SoakAdmin } from './soak-admin';
import { SoakGateway } from './soak-gateway';
import type { SoakCall } from './soak-call';
import { SoakStore } from './soak-store';

const GATEWAYS = 2;
/** The same on all replicas, or none would know another's keys. */
const SECRET_KEY = 'a-secret-key-that-the-gateways-of-a-soak-share';

type Parts = Readonly<{
  main: string;
  folder: string;
  store: SoakStore;
  providers: ForkedProviders<SoakCall>;
  /** Null: there is no redis-server on this machine. */
  redis: RedisServer | null;
}>;

/** Two gateways on one PostgreSQL and one Redis, and simulated providers: each in a process of its own. */
export class SoakStage {
  gateways: readonly SoakGateway[] = [];
  readonly keys: Record<SoakTenant, string> = { plain: '', paying: '' };
  private operator = '';

  private constructor(readonly parts: Parts) {}

  static async start(main: string, seed: number): Promise<SoakStage> {
    const folder = mkdtempSync(join(tmpdir(), 'schneeai-soak-'));
    const [store, providers, redis] = await Promise.all([
      SoakStore.start(),
      ForkedProviders.start<SoakCall>(join(__dirname, 'provider-process.ts'), String(seed)),
      isRedisInstalled() ? RedisServer.start() : null,
    ]);
    return new SoakStage({ main, folder, store, providers, redis });
  }

  async setUp(): Promise<void> {
    for (let gateway = 0; gateway < GATEWAYS; gateway += 1) {
      const environment = { ...this.environmentOf(gateway), PORT: String(await freePort()) };
      this.gateways = [...this.gateways, new SoakGateway(this.parts.main, environment)];
    }
    await Promise.all(this.gateways.map((gateway) => gateway.untilReady()));
    const { output } = await this.run('keys', 'create', '--scope', 'operator', '--name', 'soak');
    this.operator = output.trim();
    await registerProviders((path, body) => this.admin.write('PUT', path, body), this.parts.providers.urls);
    for (const tenant of TENANTS) this.keys[tenant] = await this.createTenant(tenant);
    await this.untilKnownEverywhere(this.keys.paying);
  }

  get admin(): SoakAdmin {
    return new SoakAdmin(this.gateways, this.operator);
  }

  /** Everything that nobody may find anywhere. */
  get secrets(): readonly string[] {
    return [...Object.values(this.keys), this.operator, OPENAI_CREDENTIAL, ANTHROPIC_CREDENTIAL, SECRET_KEY];
  }

  /** A command of the product on the same store. */
  run(...args: string[]): Promise<ProcessEnd> {
    return GatewayProcess.run(this.parts.main, args, this.environmentOf(GATEWAYS));
  }

  /** At once, and before anything else: what may be left when the soak itself is ended. */
  abandon(): void {
    for (const gateway of this.gateways) gateway.abandon();
    void this.parts.providers.stop();
    void this.parts.redis?.kill();
  }

  async end(): Promise<void> {
    this.abandon();
    await this.parts.store.remove();
    rmSync(this.parts.folder, { recursive: true, force: true });
  }

  private async createTenant(tenant: SoakTenant): Promise<string> {
    await this.admin.write('POST', '/tenants', { id: tenant, name: tenant, features: { failover: true } });
    await this.admin.write('PUT', `/tenants/${tenant}/routing-policies/mini`, miniFirst(PATIENCE));
    await this.admin.write('PUT', `/tenants/${tenant}/routing-policies/haiku`, haikuFirst(PATIENCE));
    if (tenant === 'paying')
      await this.admin.write('PUT', `/tenants/${tenant}/wallet`, { payment: 'wallet' });
    const issued = await this.admin.write('POST', `/tenants/${tenant}/keys`, {
      name: 'soak',
      scopes: ['chat'],
    });
    return String(issued['secret']);
  }

  /** A gateway follows changes in their order, so whoever knows the last key knows what it pays from. */
  private async untilKnownEverywhere(key: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}` };
    for (const { url } of this.gateways) {
      while ((await fetch(`${url}/v1/models`, { headers })).status !== 200) await pause(20);
    }
  }

  private environmentOf(gateway: number): Readonly<Record<string, string>> {
    const { folder, store, redis } = this.parts;
    const dataDir = join(folder, `gateway-${gateway}`);
    mkdirSync(dataDir, { recursive: true });
    return {
      ...PROVIDERS_ENVIRONMENT,
      DATABASE_URL: store.url,
      ...(redis === null ? {} : { REDIS_URL: redis.url }),
      SCHNEEAI_DATA_DIR: dataDir,
      SCHNEEAI_SECRET_KEY: SECRET_KEY,
    };
  }
}

/** Longer than the longest stream, shorter than a run. */
const PATIENCE = {
  timeouts: {
    headers_ms: 3_000,
    stream_headers_ms: 3_000,
    stream_gate_ms: 2_000,
    idle_ms: 3_000,
    deadline_ms: 20_000,
  },
};
