import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../gateway';
import { registerProviders } from '../gateway-catalog';
import { GatewayProcess, keyIn, type ProcessEnd, type ServingProcess } from '../gateway-process';
import { PROVIDERS_ENVIRONMENT, type SimulatedProviders } from '../simulated-providers';

/** The same on every replica, or none would know another's keys. */
const SECRET_KEY = 'a-secret-key-that-all-replicas-of-a-test-share';

export type Keys = Readonly<{ chat: string; operator: string }>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Answered = Readonly<{ status: number; headers: Headers; body: Json }>;

/** One gateway process of several on one PostgreSQL, each with a data folder of its own. */
export class Replica {
  private constructor(
    private readonly serving: ServingProcess,
    private readonly dataDir: string,
  ) {}

  static async start(main: string, databaseUrl: string): Promise<Replica> {
    const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-replica-'));
    return new Replica(await GatewayProcess.serve(main, environmentOf(databaseUrl, dataDir)), dataDir);
  }

  /** A command of the product on the same database. */
  static async run(main: string, args: readonly string[], databaseUrl: string): Promise<ProcessEnd> {
    const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-replica-'));
    const end = await GatewayProcess.run(main, args, environmentOf(databaseUrl, dataDir));
    rmSync(dataDir, { recursive: true, force: true });
    return end;
  }

  /** The keys that a first run has shown. */
  get keys(): Keys {
    const { welcome } = this.serving;
    return { chat: keyIn(welcome, 'SCHNEEAI_KEY'), operator: keyIn(welcome, 'SCHNEEAI_OPERATOR_KEY') };
  }

  async call(method: Method, path: string, key: string, body?: object): Promise<Answered> {
    const response = await fetch(`${this.serving.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: jsonOf(text) };
  }

  chat(key: string, changes: object = {}): Promise<Answered> {
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], ...changes };
    return this.call('POST', '/v1/chat/completions', key, body);
  }

  admin(method: Method, path: string, key: string, body?: object): Promise<Answered> {
    return this.call(method, `/admin/v1${path}`, key, body);
  }

  async register({ openai, anthropic }: SimulatedProviders, operator: string): Promise<void> {
    const put = async (path: string, body: object): Promise<void> => {
      const { status } = await this.admin('PUT', path, operator, body);
      if (status >= 300) throw new Error(`PUT ${path} was answered ${status}`);
    };
    await registerProviders(put, { openai: openai.baseUrl, anthropic: anthropic.baseUrl });
  }

  async kill(): Promise<void> {
    this.serving.process.signal('SIGKILL');
    await this.serving.process.waitForEnd();
  }

  /** For the end of a test; what it logged. */
  async end(): Promise<string> {
    await this.serving.process.end();
    rmSync(this.dataDir, { recursive: true, force: true });
    return (await this.serving.process.waitForEnd()).output;
  }
}

function environmentOf(databaseUrl: string, dataDir: string): Readonly<Record<string, string>> {
  return {
    ...PROVIDERS_ENVIRONMENT,
    DATABASE_URL: databaseUrl,
    SCHNEEAI_DATA_DIR: dataDir,
    SCHNEEAI_SECRET_KEY: SECRET_KEY,
  };
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
}
