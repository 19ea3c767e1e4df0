import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import type { Json } from './gateway';
import { buildProduct, type Build } from './gateway-build';
import { registerProviders } from './gateway-catalog';
import type { PolicyBody } from './gateway-policy';
import { GatewayProcess, keyIn, type ProcessEnd, type ServingProcess } from './gateway-process';
import { PROVIDERS_ENVIRONMENT, startProviders, type SimulatedProviders } from './simulated-providers';

type Environment = Readonly<Record<string, string>>;

/** The product in processes of its own on one data folder, with both of its providers simulated. */
export class ProcessStage {
  readonly openai: SimulatedProvider;
  readonly anthropic: SimulatedProvider;
  private readonly running: GatewayProcess[] = [];
  private dataDir = '';
  private operatorKey = '';
  /** Of the demo tenant of the first run. */
  private key = '';

  private constructor(
    private readonly build: Build,
    { openai, anthropic }: SimulatedProviders,
  ) {
    this.openai = openai;
    this.anthropic = anthropic;
  }

  static async start(): Promise<ProcessStage> {
    return new ProcessStage(buildProduct(), await startProviders());
  }

  async stop(): Promise<void> {
    await Promise.all([this.openai.stop(), this.anthropic.stop()]);
  }

  /** Before a test: an empty data folder, and providers that nobody has called. */
  clear(): void {
    this.dataDir = mkdtempSync(join(tmpdir(), 'schneeai-e2e-'));
    this.openai.reset();
    this.anthropic.reset();
  }

  /** After a test. */
  async endAll(): Promise<void> {
    await Promise.all(this.running.splice(0).map((process) => process.end()));
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async serve(environment: Environment = {}): Promise<ServingProcess> {
    const serving = await GatewayProcess.serve(this.build.main, { ...this.environment, ...environment });
    this.running.push(serving.process);
    return serving;
  }

  /** Runs a command of the product on the data folder. */
  run(...args: string[]): Promise<ProcessEnd> {
    return GatewayProcess.run(this.build.main, args, this.environment);
  }

  /** Takes the keys of the first run, and registers both providers and these policies for its demo tenant. */
  async setUp(first: ServingProcess, policies: Readonly<Record<string, PolicyBody>> = {}): Promise<void> {
    this.operatorKey = keyIn(first.welcome, 'SCHNEEAI_OPERATOR_KEY');
    this.key = keyIn(first.welcome, 'SCHNEEAI_KEY');
    const urls = { openai: this.openai.baseUrl, anthropic: this.anthropic.baseUrl };
    await registerProviders((path, body) => this.admin(first, 'PUT', path, body), urls);
    for (const [name, policy] of Object.entries(policies)) {
      await this.admin(first, 'PUT', `/tenants/demo/routing-policies/${name}`, policy);
    }
  }

  /** What an operator asks for or does; rejects when it is refused. */
  async admin(
    { url }: ServingProcess,
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
  ): Promise<Json> {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.operatorKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}`);
    return (await response.json()) as Json;
  }

  /** Asks as the demo tenant, unless `headers` hold another key. */
  chat({ url }: ServingProcess, body: object, headers: object = {}): Promise<Response> {
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], ...body }),
    });
  }

  database<T>(use: (connection: Sqlite.Database) => T): T {
    const connection = new Sqlite(this.databasePath);
    try {
      return use(connection);
    } finally {
      connection.close();
    }
  }

  /** States of all interactions, in the order of their requests. */
  states(): unknown[] {
    return this.database((connection) =>
      connection.prepare('select state from interactions order by request_id').pluck().all(),
    );
  }

  /** Nobody waits for a deadline here: that of whatever is open has passed long ago. */
  letDeadlinesPass(): void {
    this.database((connection) =>
      connection.exec('update interactions set deadline_at = deadline_at - 600000 where closed_at is null'),
    );
  }

  /** Resolves when no interaction is open any more. */
  async untilAllAreClosed(): Promise<void> {
    while (this.states().includes('open')) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  get databasePath(): string {
    return join(this.dataDir, 'schneeai.db');
  }

  get spooledFiles(): string[] {
    return readdirSync(this.dataDir).includes('spool') ? readdirSync(join(this.dataDir, 'spool')) : [];
  }

  /** Everything that waits in the spool. */
  get spooledText(): string {
    return this.spooledFiles.map((name) => readFileSync(join(this.dataDir, 'spool', name), 'utf8')).join('');
  }

  private get environment(): Environment {
    return { ...PROVIDERS_ENVIRONMENT, SCHNEEAI_DATA_DIR: this.dataDir };
  }
}

/** Resolves when a gateway accepts no more connections. */
export async function untilRefused({ url }: ServingProcess): Promise<void> {
  const accepts = (): Promise<boolean> =>
    fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
  while (await accepts());
}
