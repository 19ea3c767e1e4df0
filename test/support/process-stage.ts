import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SimulatedProvider } from '../../src/infra/simulator/simulated-provider';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL } from './gateway';
import { buildProduct, type Build } from './gateway-build';
import { registerProviders } from './gateway-catalog';
import type { PolicyBody } from './gateway-policy';
import { GatewayProcess, keyIn, type ProcessEnd, type ServingProcess } from './gateway-process';

/** The product in processes of its own on one data folder, with both of its providers simulated. */
export class ProcessStage {
  private readonly running: GatewayProcess[] = [];
  private dataDir = '';
  private key = '';

  private constructor(
    private readonly build: Build,
    readonly openai: SimulatedProvider,
    readonly anthropic: SimulatedProvider,
  ) {}

  static async start(): Promise<ProcessStage> {
    const [openai, anthropic] = await Promise.all([
      SimulatedProvider.start({ wire: 'openai', name: 'openai', apiKey: OPENAI_CREDENTIAL }),
      SimulatedProvider.start({ wire: 'anthropic', name: 'anthropic', apiKey: ANTHROPIC_CREDENTIAL }),
    ]);
    return new ProcessStage(buildProduct(), openai, anthropic);
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

  async serve(environment: Readonly<Record<string, string>> = {}): Promise<ServingProcess> {
    const serving = await GatewayProcess.serve(this.build.main, { ...this.environment, ...environment });
    this.running.push(serving.process);
    return serving;
  }

  /** Runs a command of the product on the data folder. */
  run(...args: string[]): Promise<ProcessEnd> {
    return GatewayProcess.run(this.build.main, args, this.environment);
  }

  /** Registers both providers and a policy for the demo tenant of the first run. */
  async setUp({ url, welcome }: ServingProcess, policy: PolicyBody): Promise<void> {
    const operator = keyIn(welcome, 'SCHNEEAI_OPERATOR_KEY');
    const put = async (path: string, body: object): Promise<void> => {
      const { status } = await fetch(`${url}/admin/v1${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (status >= 300) throw new Error(`PUT ${path} was answered ${status}`);
    };
    const urls = { openai: this.openai.baseUrl, anthropic: this.anthropic.baseUrl };
    await registerProviders(put, urls, {
      openai: 'env:OPENAI_CREDENTIAL',
      anthropic: 'env:ANTHROPIC_CREDENTIAL',
    });
    await put('/tenants/demo/routing-policies/default', policy);
    this.key = keyIn(welcome, 'SCHNEEAI_KEY');
  }

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

  private get environment(): Readonly<Record<string, string>> {
    return {
      SCHNEEAI_DATA_DIR: this.dataDir,
      SCHNEEAI_SANDBOX: 'off',
      SCHNEEAI_ALLOW_PRIVATE_CHANNEL_URLS: 'true',
      OPENAI_CREDENTIAL,
      ANTHROPIC_CREDENTIAL,
    };
  }
}
