import { FirstRun } from '../../../src/delivery/cli/first-run';
import type { CatalogEntries } from '../../../src/domain/catalog/catalog';
import { WritePolicy } from '../../../src/usecase/routing/write-policy';
import { CreateTenant } from '../../../src/usecase/tenant/create-tenant';
import { IssueKey } from '../../../src/usecase/tenant/issue-key';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { NumberedSecrets } from '../../support/numbered-secrets';
import { aChannel, aModel, anOffering, aPrice, aProvider } from '../../support/sample-catalog';
import { SequentialIds } from '../../support/sequential-ids';

const MINI = { provider: 'openai', model: 'gpt-4o-mini' };
const HAIKU = { provider: 'anthropic', model: 'claude-haiku-4-5' };
const PRICES = { 'gpt-4o-mini': aPrice(150_000, 600_000), 'claude-haiku-4-5': aPrice(1_000_000, 5_000_000) };

const entries = (...targets: (typeof MINI)[]): CatalogEntries => ({
  providers: targets.map(({ provider }) => aProvider(provider)),
  channels: targets.map(({ provider }) => aChannel({ id: provider, provider })),
  models: targets.map(({ provider, model }) => aModel(model, { provider })),
  offerings: targets.map(({ provider, model }) =>
    anOffering({
      id: model,
      channel: provider,
      model,
      upstreamName: model,
      price: PRICES[model as keyof typeof PRICES],
    }),
  ),
});

describe('first run', () => {
  const on = (configuration: InMemoryConfiguration): FirstRun => {
    const clock = { nowMs: () => 1_000 };
    const ids = new SequentialIds();
    const stored = { configuration, tenants: configuration, policies: configuration, ids, clock };
    return new FirstRun({
      configuration,
      createTenant: new CreateTenant({ ...stored, defaultFeatures: { failover: false } }),
      issueKey: new IssueKey({ ...stored, secrets: new NumberedSecrets() }),
      writePolicy: new WritePolicy(stored),
    });
  };
  const policies = (configuration: InMemoryConfiguration) =>
    [...configuration.policiesOf('demo')].map(([name, { policy }]) => ({
      name,
      match: policy.match,
      primary: policy.primary,
      fallbacks: policy.fallbacks,
      ceiling: policy.settings.maxFallbackCostMultiplier,
    }));

  it('makes a tenant that may fail over in both directions, an app’s key and an operator’s', async () => {
    const configuration = new InMemoryConfiguration(entries(MINI, HAIKU));

    const keys = await on(configuration).execute();

    expect(keys).toEqual({ chat: 'sk-test-0001', operator: 'sk-test-0002' });
    expect(configuration.tenants()).toMatchObject([
      { id: 'demo', name: 'Demo', features: { failover: true } },
    ]);
    expect(policies(configuration)).toEqual([
      { name: 'mini-first', match: ['auto', 'gpt-4o-mini'], primary: MINI, fallbacks: [HAIKU], ceiling: 10 },
      { name: 'haiku-first', match: ['claude-haiku-4-5'], primary: HAIKU, fallbacks: [MINI], ceiling: 10 },
    ]);
    expect(configuration.keysOf('demo')).toMatchObject([{ scopes: ['chat'], expiresAtMs: null }]);
    expect(configuration.keysOf(null)).toMatchObject([{ scopes: ['operator'], expiresAtMs: null }]);
  });

  it.each([
    [
      'openai',
      [MINI],
      [{ name: 'mini-first', match: ['auto', 'gpt-4o-mini'], primary: MINI, fallbacks: [], ceiling: 10 }],
    ],
    [
      'anthropic',
      [HAIKU],
      [
        {
          name: 'haiku-first',
          match: ['auto', 'claude-haiku-4-5'],
          primary: HAIKU,
          fallbacks: [],
          ceiling: 10,
        },
      ],
    ],
    ['no provider', [], []],
  ])('with %s alone lists no fallback that isn’t there', async (_name, targets, expected) => {
    const configuration = new InMemoryConfiguration(entries(...targets));

    expect(await on(configuration).execute()).not.toBeNull();
    expect(policies(configuration)).toEqual(expected);
  });

  it('happens once, and never again when the keys were revoked', async () => {
    const configuration = new InMemoryConfiguration(entries(MINI, HAIKU));
    await on(configuration).execute();
    for (const key of configuration.keysOf(null)) await configuration.updateKey({ ...key, revokedAtMs: 5 });
    configuration.writes = 0;

    expect(await on(configuration).execute()).toBeNull();
    expect(configuration.writes).toBe(0);
  });

  // One that died between its two keys used to pass for done, and nobody ever got an operator's key.
  it.each([0, 1, 2, 3, 4])('is completed when an earlier one died after %i writes', async (writes) => {
    const configuration = new DyingConfiguration(writes);
    await expect(on(configuration).execute()).rejects.toThrow('killed');
    configuration.revive();

    const keys = await on(configuration).execute();

    expect(keys?.operator).toMatch(/^sk-test-/);
    expect(configuration.tenants()).toHaveLength(1);
    expect(policies(configuration).map(({ name }) => name)).toEqual(['mini-first', 'haiku-first']);
    expect(configuration.keysOf(null)).toHaveLength(1);
  });
});

/** A process that is killed at a certain write. */
class DyingConfiguration extends InMemoryConfiguration {
  constructor(private writesLeft: number) {
    super(entries(MINI, HAIKU));
  }

  revive(): void {
    this.writesLeft = Infinity;
  }

  override insertTenant: InMemoryConfiguration['insertTenant'] = (tenant) =>
    this.alive(() => super.insertTenant(tenant));
  override append: InMemoryConfiguration['append'] = (version) => this.alive(() => super.append(version));
  override insertKey: InMemoryConfiguration['insertKey'] = (key) => this.alive(() => super.insertKey(key));

  private async alive<T>(write: () => Promise<T>): Promise<T> {
    if (this.writesLeft === 0) throw new Error('killed');
    this.writesLeft -= 1;
    return write();
  }
}
