import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import pino from 'pino';
import type { Overrides } from '../../src/container';
import { startGateway, type Started } from '../../src/container/start-gateway';
import { TOKEN } from '../../src/container/token';
import { readConfig, type Config } from '../../src/infra/config/config';
import { InMemoryRouteHealth } from '../../src/infra/health/in-memory-route-health';
import type { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import type { RouteHealthStore } from '../../src/usecase/port/route-health';
import { registerProviders } from './gateway-catalog';
import type { PolicyBody } from './gateway-policy';
import type { SleeplessTime } from './gateway-time';
import {
  ANTHROPIC_CREDENTIAL,
  OPENAI_CREDENTIAL,
  startProviders,
  type SimulatedProviders,
} from './simulated-providers';

/** The tenant that most tests use: its failover feature is on. */
export const TENANT = 'acme';

/** A JSON document off the wire. */
export type Json = { readonly [member: string]: Json } & readonly Json[] & (string | number | null);

export type Answered = Readonly<{ status: number; headers: Headers; text: string; body: Json }>;

export type TestGatewayOptions = Readonly<{
  environment?: Readonly<Record<string, string>>;
  overrides?: Overrides;
  /** Takes the place of the clock and of the sleeper. */
  time?: SleeplessTime;
}>;

type Parts = Readonly<{
  started: Started;
  forgettable: ForgettableHealth;
  dataDir: string;
  logLines: readonly string[];
}> &
  SimulatedProviders;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A whole gateway over real sockets, with both of its providers simulated on loopback. */
export class TestGateway {
  /** Every log line, at any level. */
  readonly logLines: readonly string[];
  readonly openai: SimulatedProvider;
  readonly anthropic: SimulatedProvider;
  readonly operatorKey: string;
  /** The secret of the tenant's app. */
  key = '';

  private constructor(private readonly parts: Parts) {
    this.logLines = parts.logLines;
    this.openai = parts.openai;
    this.anthropic = parts.anthropic;
    this.operatorKey = parts.started.keys?.operator ?? '';
  }

  static async start(options: TestGatewayOptions = {}): Promise<TestGateway> {
    const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
    const logLines: string[] = [];
    const forgettable = new ForgettableHealth();
    const started = await startGateway({
      config: testConfig(dataDir, options.environment),
      logger: pino({ level: 'trace' }, { write: (line) => void logLines.push(line) }),
      overrides: (container) => {
        container.register(TOKEN.health, { useValue: forgettable });
        if (options.time !== undefined) {
          container.register(TOKEN.clock, { useValue: options.time });
          container.register(TOKEN.sleeper, { useValue: options.time });
        }
        options.overrides?.(container);
      },
    });
    const providers = await startProviders();
    const gateway = new TestGateway({ started, forgettable, dataDir, logLines, ...providers });
    await gateway.setUp();
    return gateway;
  }

  get baseUrl(): string {
    return this.parts.started.gateway.baseUrl;
  }

  /** The official client, of which only the base URL and the key are changed, and its own retries are off. */
  client(options: Readonly<{ key?: string; maxRetries?: number }> = {}): OpenAI {
    const { key = this.key, maxRetries = 0 } = options;
    return new OpenAI({ baseURL: `${this.baseUrl}/v1`, apiKey: key, maxRetries });
  }

  /** A request as bytes, for what no client would send. */
  async send(
    method: Method,
    path: string,
    { key, headers = {}, body }: Readonly<{ key?: string; headers?: object; body?: string | Buffer }> = {},
  ): Promise<Answered> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
  }

  /** One chat request as a plain POST; `key` of the tenant's app unless another is given. */
  chat(body: object, headers: object = {}, key = this.key): Promise<Answered> {
    return this.send('POST', '/v1/chat/completions', {
      key,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** A chat request whose caller may leave at any time: what he reads, and how he leaves. */
  leavable(body: object): Readonly<{ response: Promise<Response>; leave: () => void }> {
    const leaving = new AbortController();
    const response = fetch(`${this.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    // Who leaves doesn't look at what becomes of it.
    response.catch(() => undefined);
    return { response, leave: () => leaving.abort() };
  }

  /** The tenant's newest record with its ledger, as soon as it is closed. */
  async newestClosed(tenant = TENANT): Promise<Json> {
    for (;;) {
      const { data } = (await this.admin('GET', `/audit/records?tenant=${tenant}&limit=1`)).body;
      const newest = data![0];
      if (newest !== undefined && newest['state'] !== ('open' as never)) {
        return this.record(String(newest['request_id']));
      }
    }
  }

  /** The admin API as the operator sees it. */
  admin(method: Method, path: string, body?: object, key = this.operatorKey): Promise<Answered> {
    return this.send(method, `/admin/v1${path}`, {
      key,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }

  /** An admin write that has to succeed. */
  async put(path: string, body: object): Promise<Json> {
    const answered = await this.admin('PUT', path, body);
    if (answered.status >= 300)
      throw new Error(`PUT ${path} was answered ${answered.status}: ${answered.text}`);
    return answered.body;
  }

  putPolicy(policy: PolicyBody, name = 'default', tenant = TENANT): Promise<Json> {
    return this.put(`/tenants/${tenant}/routing-policies/${name}`, policy);
  }

  /** Makes a tenant and returns the secret of its app. */
  async addTenant(id: string, features: Readonly<{ failover: boolean }>): Promise<string> {
    await this.admin('POST', '/tenants', { id, name: id, features });
    return this.issueKey(id, { scopes: ['chat'] });
  }

  async issueKey(tenant: string, wanted: object): Promise<string> {
    const issued = await this.admin('POST', `/tenants/${tenant}/keys`, { name: 'test', ...wanted });
    return String(issued.body['secret']);
  }

  /** The audit record with its ledger, as the API shows it. */
  async record(requestId: string | null | undefined): Promise<Json> {
    return (await this.admin('GET', `/audit/records/${requestId}`)).body;
  }

  /** All records of a tenant, newest first. */
  async records(tenant = TENANT): Promise<Json> {
    return (await this.admin('GET', `/audit/records?tenant=${tenant}&limit=200`)).body['data'] as Json;
  }

  /** Between two tests: healthy providers that nobody has called, closed circuits, no policy. */
  async reset(): Promise<void> {
    this.openai.reset();
    this.anthropic.reset();
    this.parts.forgettable.forget();
    const policies = (await this.admin('GET', `/tenants/${TENANT}/routing-policies`)).body['data'] as Json;
    for (const { name } of policies)
      await this.admin('DELETE', `/tenants/${TENANT}/routing-policies/${name}`);
  }

  /** Everything that the gateway itself has written to its data folder. */
  storedText(): string {
    const files = readdirSync(this.parts.dataDir).filter((name) => name.startsWith('schneeai.db'));
    return files.map((name) => readFileSync(join(this.parts.dataDir, name), 'latin1')).join('\n');
  }

  async stop(): Promise<void> {
    await this.parts.started.gateway.stop();
    await Promise.all([this.openai.stop(), this.anthropic.stop()]);
    rmSync(this.parts.dataDir, { recursive: true, force: true });
  }

  private async setUp(): Promise<void> {
    const credentials = {
      openai: this.secretFile('openai.key', OPENAI_CREDENTIAL),
      anthropic: this.secretFile('anthropic.key', ANTHROPIC_CREDENTIAL),
    };
    const urls = { openai: this.openai.baseUrl, anthropic: this.anthropic.baseUrl };
    await registerProviders((path, body) => this.put(path, body), urls, credentials);
    this.key = await this.addTenant(TENANT, { failover: true });
  }

  /** Writes a credential as mounted secrets are, and returns the reference to it. */
  secretFile(name: string, secret: string): string {
    const path = join(this.parts.dataDir, name);
    writeFileSync(path, `${secret}\n`);
    return `file:${path}`;
  }
}

/** The health of routes, forgotten between two tests that share a gateway. */
class ForgettableHealth implements RouteHealthStore {
  private current = new InMemoryRouteHealth();

  get: RouteHealthStore['get'] = (route) => this.current.get(route);
  set: RouteHealthStore['set'] = (route, health) => this.current.set(route, health);
  all: RouteHealthStore['all'] = () => this.current.all();

  forget(): void {
    this.current = new InMemoryRouteHealth();
  }
}

function testConfig(dataDir: string, environment: Readonly<Record<string, string>> = {}): Config {
  const config = readConfig({
    PORT: '0',
    SCHNEEAI_DATA_DIR: dataDir,
    SCHNEEAI_SANDBOX: 'off',
    SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
    SCHNEEAI_SHUTDOWN_GRACE_MS: '0',
    ...environment,
  });
  if (!config.ok) throw new Error(config.error.join('\n'));
  return config.value;
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
}
