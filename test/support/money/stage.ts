import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreDatabase } from '../../../src/infra/store/store-database';
import type { Json } from '../gateway';
import { buildProduct, type Build } from '../gateway-build';
import { registerProviders } from '../gateway-catalog';
import { haikuFirst, miniFirst, timeouts, type PolicyBody } from '../gateway-policy';
import { GatewayProcess, keyIn, type ProcessEnd, type ServingProcess } from '../gateway-process';
import { PROVIDERS_ENVIRONMENT } from '../simulated-providers';
import { ForkedProviders } from './forked-providers';
import type { Mix, PaidTenant } from './mix';
import type { ProviderCall } from './provider-call';
import { openInteractionsIn, letDeadlinesPass } from './stored-interactions';

/** Where the gateway of a mix keeps its records. */
export type MixStore = Readonly<{
  /** What tells a gateway to use it. */
  environment: Readonly<Record<string, string>>;
  /** Opens it beside the gateway, whose data folder is given. */
  open: (dataDir: string) => Promise<StoreDatabase>;
  remove: () => Promise<void>;
}>;

/** What the tenants paid in, micro-USD: `demo` more than it can spend, `poor` less than it wants to, for each case of the mix. */
const DEMO_CREDIT = 50_000_000;
const POOR_CREDIT_PER_CASE = 3;

/** The gateway of a mix in a process that can be killed and started again, its wallets, and its providers. */
export class MoneyStage {
  private serving: Promise<ServingProcess>;
  private kills = 0;
  private operator = '';
  private readonly keys = { demo: '', poor: '' };
  readonly credits: Readonly<Record<PaidTenant, number>>;

  private constructor(
    private readonly parts: Readonly<{ build: Build; dataDir: string; store: MixStore }>,
    readonly providers: ForkedProviders<ProviderCall>,
    mix: Mix,
  ) {
    this.credits = { demo: DEMO_CREDIT, poor: POOR_CREDIT_PER_CASE * mix.cases };
    this.serving = this.serve();
  }

  static async start(mix: Mix, store: MixStore): Promise<MoneyStage> {
    const dataDir = mkdtempSync(join(tmpdir(), 'schneeai-money-'));
    const parts = { build: buildProduct(), dataDir, store };
    const script = join(__dirname, 'providers-process.ts');
    const providers = await ForkedProviders.start<ProviderCall>(script, JSON.stringify(mix));
    const stage = new MoneyStage(parts, providers, mix);
    await stage.setUp();
    return stage;
  }

  /** How often the gateway has been killed: a request that saw this change has lost its gateway. */
  get timesKilled(): number {
    return this.kills;
  }

  keyOf(tenant: PaidTenant): string {
    return this.keys[tenant];
  }

  /** The address of the gateway, as soon as one runs. */
  async url(): Promise<string> {
    return (await this.serving).url;
  }

  /** Kills the gateway in the middle of everything, and starts the next one. */
  async kill(): Promise<void> {
    this.kills += 1;
    await this.startAgain(async ({ process }) => {
      process.signal('SIGKILL');
      await process.waitForEnd();
    });
  }

  /** Stops the gateway as an operator does. Resolves with how many interactions that left open, when the next one runs. */
  async restart(): Promise<number> {
    let leftOpen = 0;
    await this.startAgain(async ({ process }) => {
      process.signal('SIGTERM');
      const { code, errors } = await process.waitForEnd();
      if (code !== 0) throw new Error(`It ended with ${code}: ${errors}`);
      leftOpen = await this.openInteractions();
    });
    return leftOpen;
  }

  async admin(path: string): Promise<Json> {
    const headers = { authorization: `Bearer ${this.operator}` };
    return (await (await fetch(`${await this.url()}/admin/v1${path}`, { headers })).json()) as Json;
  }

  /** Runs a command of the product on the same data. */
  run(...args: string[]): Promise<ProcessEnd> {
    return GatewayProcess.run(this.parts.build.main, args, this.environment);
  }

  async onStore<T>(use: (database: StoreDatabase) => Promise<T>): Promise<T> {
    const database = await this.parts.store.open(this.parts.dataDir);
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  openInteractions(): Promise<number> {
    return this.onStore(({ kysely }) => openInteractionsIn(kysely));
  }

  async stop(): Promise<void> {
    const { process } = await this.serving;
    await process.end();
    await this.providers.stop();
    rmSync(this.parts.dataDir, { recursive: true, force: true });
  }

  private serve(): Promise<ServingProcess> {
    return GatewayProcess.serve(this.parts.build.main, this.environment);
  }

  /** From the first moment on, nobody gets the address of the old one. */
  private async startAgain(end: (old: ServingProcess) => Promise<void>): Promise<void> {
    const old = this.serving;
    this.serving = (async () => {
      await end(await old);
      await this.onStore(({ kysely }) => letDeadlinesPass(kysely));
      return this.serve();
    })();
    await this.serving;
  }

  private async setUp(): Promise<void> {
    const { welcome } = await this.serving;
    this.operator = keyIn(welcome, 'SCHNEEAI_OPERATOR_KEY');
    this.keys.demo = keyIn(welcome, 'SCHNEEAI_KEY');
    await registerProviders((path, body) => this.write('PUT', path, body), this.providers.urls);
    await this.write('POST', '/tenants', { id: 'poor', name: 'Poor', features: { failover: true } });
    const issued = await this.write('POST', '/tenants/poor/keys', { name: 'mix', scopes: ['chat'] });
    this.keys.poor = String(issued['secret']);
    for (const tenant of ['demo', 'poor']) {
      for (const [name, policy] of Object.entries(POLICIES)) {
        await this.write('PUT', `/tenants/${tenant}/routing-policies/${name}`, policy);
      }
    }
    for (const tenant of ['demo', 'poor'] as const) {
      await this.write('PUT', `/tenants/${tenant}/wallet`, { payment: 'wallet' });
      const credit = { amount_micro_usd: this.credits[tenant], reference: 'mix' };
      await this.write('POST', `/tenants/${tenant}/wallet/credits`, credit);
    }
  }

  private async write(method: 'PUT' | 'POST', path: string, body: object): Promise<Json> {
    const response = await fetch(`${await this.url()}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.operator}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  }

  private get environment(): Readonly<Record<string, string>> {
    const { dataDir, store } = this.parts;
    return {
      ...PROVIDERS_ENVIRONMENT,
      SCHNEEAI_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...store.environment,
    };
  }
}

/** Whoever is slow on a busy machine must not be taken for one who says nothing: that costs nothing, however much was said. */
const PATIENT = timeouts({
  headers_ms: 30_000,
  stream_headers_ms: 30_000,
  idle_ms: 30_000,
  deadline_ms: 60_000,
});

/** Each model first at its own provider, then the other one; and one policy that lets an answer out only when it is complete. */
const POLICIES: Readonly<Record<string, PolicyBody>> = {
  mini: miniFirst({ match: ['gpt-4o-mini'], ...PATIENT }),
  haiku: haikuFirst(PATIENT),
  whole: miniFirst({ match: ['auto'], commit_on: 'complete', ...PATIENT }),
};
