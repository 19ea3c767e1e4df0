import pino from 'pino';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import type { Overrides } from '../../src/container';
import { runDrill } from '../../src/container/drill/run-drill';
import { withStage } from '../../src/container/drill/with-stage';
import { startGateway } from '../../src/container/start-gateway';
import { TOKEN } from '../../src/container/token';
import { indexPolicies } from '../../src/domain/routing/match-policy';
import { RoutingPolicy } from '../../src/domain/routing/routing-policy';
import { readConfig, type Config } from '../../src/infra/config/config';
import { DRILL_NAMES } from '../../src/usecase/drill/drill';
import { programOf } from '../../src/usecase/drill/program';
import { RehearsePolicies } from '../../src/usecase/drill/rehearse-policies';
import type { ChatProvider } from '../../src/usecase/port/chat-provider';
import type { Configuration } from '../../src/usecase/port/configuration';
import type { InteractionStore } from '../../src/usecase/port/interaction-store';
import { CLAUDE, drillFacts, ELSEWHERE, LARGE, SMALL, type DrillWorld } from '../support/drill-setting';
import { anOffering } from '../support/sample-catalog';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'schneeai-drill-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function configOf(environment: Readonly<Record<string, string>> = {}): Config {
  const config = readConfig({ SCHNEEAI_DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...environment });
  if (!config.ok) throw new Error(config.error.join('\n'));
  return config.value;
}

type Printed = Readonly<{ exitCode: number; text: string }>;

async function drill(args: readonly string[], overrides?: Overrides): Promise<Printed> {
  let text = '';
  const outcome = await runDrill(args, {
    config: configOf(),
    write: (part) => (text += part),
    overrides,
  });
  return { exitCode: outcome.exitCode, text: text + outcome.output };
}

describe('with no store', () => {
  it('passes every drill on the policies of a first run, and leaves the data folder alone', async () => {
    const { exitCode, text } = await drill([]);

    expect(text).toContain('30 passed, 0 failed, 0 skipped\n');
    expect(exitCode).toBe(0);
    expect(readdirSync(dataDir)).toEqual([]);
  }, 60_000);

  it('prints what fits a terminal of 100 columns, without colours', async () => {
    const { text } = await drill(['--policy', 'mini-first', '--only', 'primary-down']);

    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(text).not.toContain('\u001b');
    expect(text).toContain('PASS  primary-down             mini-first (version 1)\n');
    expect(text).toContain(
      'expected    200, from claude-haiku-4-5 at anthropic, primary_provider_5xx, 3 attempts, served\n',
    );
    expect(text).toMatch(/1 openai {5}gpt-4o-mini {8}initial {10}server_error 503 {3}wait 0 ms/);
    // Haiku, 9 tokens in at 1 micro-USD and 14 out at 5.
    expect(text).toContain('cost        0.000079 USD');
  });

  it('gives machines one document', async () => {
    const { text } = await drill(['--policy', 'haiku-first', '--only', 'rate-limit-fits', '--json']);

    expect(JSON.parse(text)).toMatchObject({
      tenant: 'demo',
      passed: 1,
      failed: 0,
      skipped: 0,
      results: [
        {
          drill: 'rate-limit-fits',
          policy: 'haiku-first',
          verdict: 'passed',
          scenes: [
            {
              differences: [],
              attempts: [
                { number: 1, provider: 'anthropic', action: 'initial', outcome: 'rate_limited', wait_ms: 0 },
                { number: 2, provider: 'anthropic', action: 'retry', outcome: 'served', wait_ms: 2_000 },
              ],
            },
          ],
        },
      ],
    });
  });
});

describe('with a store', () => {
  it('rehearses what it holds, and only reads it', async () => {
    const { gateway } = await startGateway({ config: configOf(), logger: pino({ level: 'silent' }) });
    await gateway.stop();
    const before = readFileSync(join(dataDir, 'schneeai.db'));

    const { exitCode, text } = await drill(['--tenant', 'demo', '--only', 'primary-down']);

    expect(text).toContain('Drills for the tenant demo: its policies as they are in the store.');
    expect(text).toContain('2 passed, 0 failed, 0 skipped');
    expect(exitCode).toBe(0);
    expect(readFileSync(join(dataDir, 'schneeai.db'))).toEqual(before);
  }, 30_000);

  it('may be in use by a running gateway', async () => {
    const { gateway } = await startGateway({ config: configOf(), logger: pino({ level: 'silent' }) });

    const { exitCode } = await drill(['--policy', 'mini-first', '--only', 'ledger-reconciled']);

    await gateway.stop();
    expect(exitCode).toBe(0);
  }, 30_000);
});

describe('called wrongly', () => {
  it.each([
    ['an unknown drill', ['--only', 'earthquake'], "There is no drill 'earthquake'."],
    ['an unknown tenant', ['--tenant', 'nobody'], "There is no tenant 'nobody'."],
    ['an unknown policy', ['--policy', 'none'], "The tenant 'demo' has no policy 'none'."],
    ['an unknown option', ['--fast'], "Unknown option '--fast'"],
  ])('%s ends with 2 and says so', async (_, args, message) => {
    const { exitCode, text } = await drill(args);

    expect(exitCode).toBe(2);
    expect(text).toContain(message);
  });
});

const ONE_ROUTE = [anOffering({ id: 'first-s', channel: 'first' })];

/** Policies of every shape: what the drill expects of them is worked out apart from what the gateway does. */
const WORLDS: readonly (readonly [what: string, world: DrillWorld])[] = [
  ['no fallback', { policy: { primary: SMALL } }],
  ['no primary, no fallback', { policy: { primary: null, match: ['gpt-s'] } }],
  ['a fallback over the other wire', { policy: { fallbacks: [CLAUDE] } }],
  ['the same model elsewhere, then another model', { policy: { fallbacks: [ELSEWHERE, CLAUDE] } }],
  [
    'a fallback on the primary’s own channel',
    { policy: { fallbacks: [LARGE], settings: { maxFallbackCostMultiplier: 20 } } },
  ],
  ['every fallback too dear', { policy: { fallbacks: [LARGE] } }],
  ['the cheapest first', { policy: { fallbacks: [CLAUDE, ELSEWHERE], strategy: 'cost' } }],
  [
    'no primary, the cheapest first',
    { policy: { primary: null, fallbacks: [CLAUDE, SMALL], strategy: 'cost' } },
  ],
  [
    'no primary, the fastest first',
    { policy: { primary: null, fallbacks: [CLAUDE, SMALL], strategy: 'latency' } },
  ],
  ['a tenant that pays in advance', { policy: { fallbacks: [CLAUDE] }, tenant: { wallet: true } }],
  ['one hop', { policy: { fallbacks: [CLAUDE], settings: { maxHops: 1 } } }],
  [
    'no retry at all',
    { policy: { fallbacks: [CLAUDE], settings: { retry: { maxRetries: 0, maxRetriesBeforeFallback: 0 } } } },
  ],
  [
    'many retries before a fallback',
    { policy: { fallbacks: [CLAUDE], settings: { retry: { maxRetriesBeforeFallback: 6 } } } },
  ],
  [
    'more retries than attempts',
    { policy: { settings: { retry: { maxRetries: 7 } } }, entries: { offerings: ONE_ROUTE } },
  ],
  ['the whole answer held', { policy: { fallbacks: [CLAUDE], settings: { commitOn: 'complete' } } }],
  ['plain model names', { policy: { fallbacks: [CLAUDE], settings: { responseModel: 'served' } } }],
  [
    'failover on server errors only',
    { policy: { fallbacks: [CLAUDE], settings: { failoverOn: ['server_error'] } } },
  ],
  [
    'failover on rate limits only',
    { policy: { fallbacks: [CLAUDE], settings: { failoverOn: ['rate_limited'] } } },
  ],
  ['a deadline that ends the retries', { policy: { settings: { timeouts: { deadlineMs: 6_000 } } } }],
  ['a feature that is off', { policy: { fallbacks: [CLAUDE] }, tenant: { features: { failover: false } } }],
  [
    'an excluded fallback',
    {
      policy: { fallbacks: [CLAUDE, ELSEWHERE] },
      tenant: {
        eligibility: {
          allowedRegions: null,
          exclusions: [{ provider: 'anthropic', model: null, note: 'contract', untilMs: null }],
          allowList: null,
        },
      },
    },
  ],
  [
    'an excluded primary',
    {
      policy: { fallbacks: [CLAUDE] },
      tenant: {
        eligibility: {
          allowedRegions: null,
          exclusions: [{ provider: 'openai', model: null, note: 'contract', untilMs: null }],
          allowList: null,
        },
      },
    },
  ],
  [
    'Europe only',
    {
      policy: { primary: ELSEWHERE, fallbacks: [CLAUDE] },
      tenant: { eligibility: { allowedRegions: ['eu-*'], exclusions: [], allowList: null } },
    },
  ],
  ['nothing allowed', { tenant: { eligibility: { allowedRegions: [], exclusions: [], allowList: null } } }],
  ['a canary', { policy: { fallbacks: [ELSEWHERE], canary: { target: CLAUDE, percent: 10 } } }],
];

describe('on policies of every shape', () => {
  it.each(WORLDS)(
    'finds no difference: %s',
    async (_, world) => {
      const facts = drillFacts(world);
      const logger = pino({ level: 'silent' });

      const results = await withStage({ config: configOf(), logger, facts }, (stage) =>
        new RehearsePolicies(stage).execute(programOf(facts), DRILL_NAMES, () => undefined),
      );

      const failed = results.filter(({ verdict }) => verdict === 'failed');
      const told = failed.map(({ drill: name, defect, rehearsal }) => ({
        name,
        defect,
        differences:
          rehearsal?.kind === 'rehearsed' ? rehearsal.scenes.flatMap((scene) => scene.differences) : [],
      }));
      expect(told).toEqual([]);
      expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
    },
    60_000,
  );
});

/** Changes what `container` would have given for a port. */
function replaced<T extends object>(
  container: DependencyContainer,
  token: symbol,
  change: (original: T) => Partial<T>,
): void {
  const original = container.resolve<T>(token);
  const changed = change(original);
  const mixed = new Proxy(original, {
    get: (target, member) => {
      const value: unknown = Reflect.get(member in changed ? changed : target, member);
      return typeof value === 'function' ? value.bind(member in changed ? changed : target) : value;
    },
  });
  container.register(token, { useValue: mixed });
}

const BROKEN: readonly (readonly [what: string, drill: string, broken: Overrides, reason: string])[] = [
  [
    'an adapter that retries by itself',
    'primary-down',
    (container) =>
      replaced(container, TOKEN.providers as symbol, (providers: { at(route: never): ChatProvider }) => ({
        at: (route: never): ChatProvider => ({
          send: async (call) => {
            const reply = await providers.at(route).send(call);
            return reply.kind === 'failed' ? providers.at(route).send(call) : reply;
          },
        }),
      })),
    'calls that reached openai by channel sandbox-openai (gpt-4o-mini at openai): expected 2, saw 4',
  ],
  [
    'a store that loses attempts',
    'primary-down',
    (container) =>
      replaced<InteractionStore>(container, TOKEN.interactions as symbol, () => ({
        advance: async () => ({ kind: 'advanced' }),
      })),
    'attempts in the ledger: expected 3, saw',
  ],
  [
    'a configuration that forgets exclusions',
    'excluded-provider',
    (container) =>
      replaced<Configuration>(container, TOKEN.configuration as symbol, (configuration) => ({
        tenant: (id) => {
          const tenant = configuration.tenant(id);
          return tenant && { ...tenant, eligibility: { ...tenant.eligibility, exclusions: [] } };
        },
      })),
    'calls that reached anthropic by channel sandbox-anthropic: expected 0, saw 1',
  ],
  [
    'a configuration that forgets the ceiling',
    'cost-ceiling',
    (container) =>
      replaced<Configuration>(container, TOKEN.configuration as symbol, (configuration) => ({
        policyIndexOf: (tenant) =>
          indexPolicies(
            [...configuration.policiesOf(tenant).values()].map((version) => {
              const data = version.policy.toData();
              const settings = { ...data.settings, maxFallbackCostMultiplier: 1_000 };
              return { ...version, policy: RoutingPolicy.restore({ ...data, settings }) };
            }),
          ),
      })),
    'calls that reached anthropic by channel sandbox-anthropic: expected 0, saw 1',
  ],
  [
    'a store that pretends to have recorded',
    'store-lost',
    (container) =>
      replaced<InteractionStore>(container, TOKEN.interactions as symbol, (store) => ({
        open: (opening) => store.open(opening).catch(() => ({ kind: 'opened' })),
      })),
    'the status: expected 503, saw 200',
  ],
  [
    'a closing record with a made-up cost',
    'ledger-reconciled',
    (container) =>
      replaced<InteractionStore>(container, TOKEN.interactions as symbol, (store) => ({
        close: (closing) => store.close({ ...closing, costMicroUsd: 1 }),
      })),
    'the cost in micro-USD: expected',
  ],
  [
    'an adapter that doesn’t stop when told to',
    'cancel-mid-stream',
    (container) =>
      replaced(container, TOKEN.providers as symbol, (providers: { at(route: never): ChatProvider }) => ({
        at: (route: never): ChatProvider => ({
          send: (call) => providers.at(route).send({ ...call, abort: new AbortController().signal }),
        }),
      })),
    'was ended: expected by_gateway, saw open',
  ],
  [
    'a random number beyond its range, so that waits are too long',
    'all-routes-exhausted',
    (container) => container.register(TOKEN.random, { useValue: { unit: () => 3 } }),
    'attempt 2: expected a wait of 750 to 1250 ms, saw 2250 ms',
  ],
];

describe('with one rule broken on purpose', () => {
  it.each(BROKEN)(
    'notices %s',
    async (_, name, broken, reason) => {
      const { exitCode, text } = await drill(['--policy', 'mini-first', '--only', name], broken);

      // What was wrapped for a terminal is one sentence again.
      const sentences = text.replaceAll(/\n {18}/g, ' ');
      expect(sentences).toContain(reason);
      expect(text).toContain(`FAIL  ${name}`);
      expect(exitCode).toBe(1);
    },
    30_000,
  );
});
