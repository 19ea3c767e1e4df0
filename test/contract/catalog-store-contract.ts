import type { Stores, OpenStores } from './stores';
import { CHANNEL, MODEL, OFFERING, PROVIDER, ROUTE } from '../support/store/sample-records';

async function register({ catalog }: Stores): Promise<void> {
  await catalog.putProvider(PROVIDER);
  await catalog.putChannel(CHANNEL);
  await catalog.putModel(MODEL);
  await catalog.putOffering(OFFERING);
}

export function catalogStoreContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const routeIds = () =>
    (stores.configuration.catalog().routes.get('gpt-4o-mini') ?? []).map((route) => route.id);

  it('begins empty', () => {
    expect(stores.configuration.catalog().models.size).toBe(0);
  });

  it('keeps every entry as it was written, and its route', async () => {
    await register(stores);

    const catalog = stores.configuration.catalog();
    expect(catalog.providers.get('openai')).toEqual(PROVIDER);
    expect(catalog.channels.get('ch_openai_us')).toEqual(CHANNEL);
    expect(catalog.models.get('gpt-4o-mini')).toEqual(MODEL);
    expect(catalog.offerings.get('off_openai_4o_mini')).toEqual(OFFERING);
    expect(catalog.aliases.get('auto')).toBe('gpt-4o-mini');
    expect(catalog.routes.get('gpt-4o-mini')).toEqual([ROUTE]);
  });

  it('keeps an unknown price unknown', async () => {
    await register(stores);

    await stores.catalog.putOffering({ ...OFFERING, price: null });

    expect(stores.configuration.catalog().offerings.get(OFFERING.id)!.price).toBeNull();
  });

  it('shows a switched-off channel in its routes at once', async () => {
    await register(stores);

    await stores.catalog.putChannel({ ...CHANNEL, enabled: false });

    expect(stores.configuration.catalog().routes.get('gpt-4o-mini')).toMatchObject([{ enabled: false }]);
  });

  it('keeps the order of registration when an entry is replaced', async () => {
    await register(stores);
    await stores.catalog.putOffering({ ...OFFERING, id: 'off_a' });

    await stores.catalog.putOffering({ ...OFFERING, upstreamName: 'newer' });

    expect(routeIds()).toEqual(['off_openai_4o_mini', 'off_a']);
  });

  it('puts an entry that was removed and added again at the end', async () => {
    await register(stores);
    await stores.catalog.putOffering({ ...OFFERING, id: 'off_a' });

    await stores.catalog.remove('offering', OFFERING.id);
    await stores.catalog.putOffering(OFFERING);

    expect(routeIds()).toEqual(['off_a', 'off_openai_4o_mini']);
  });

  it.each([
    ['provider', 'openai', 'providers'],
    ['channel', 'ch_openai_us', 'channels'],
    ['model', 'gpt-4o-mini', 'models'],
    ['offering', 'off_openai_4o_mini', 'offerings'],
  ] as const)('removes a %s', async (kind, id, entries) => {
    await register(stores);

    await stores.catalog.remove(kind, id);

    expect(stores.configuration.catalog()[entries].size).toBe(0);
  });

  describe('of the checks of an offering', () => {
    const passed = { check: 'tools', verdict: 'passed', atMs: 5, status: 200, code: null } as const;
    const failed = { ...passed, verdict: 'failed', code: 'no_tool_call' } as const;
    const subject = {
      channel: CHANNEL.id,
      baseUrl: CHANNEL.baseUrl,
      upstreamName: OFFERING.upstreamName,
    };
    const checks = { offering: OFFERING.id, subject, results: [failed] };
    const failedChecks = () =>
      (stores.configuration.catalog().routes.get('gpt-4o-mini') ?? []).map((route) => route.failedChecks);

    beforeEach(() => register(stores));

    it('shows what was seen, and keeps it on its route', async () => {
      await stores.catalog.putChecks(checks);

      expect(stores.configuration.catalog().checks.get(OFFERING.id)).toEqual(checks);
      expect(failedChecks()).toEqual([[failed]]);
    });

    it('has what is newer in place of what was known', async () => {
      await stores.catalog.putChecks(checks);

      await stores.catalog.putChecks({ ...checks, results: [passed] });

      expect(failedChecks()).toEqual([undefined]);
    });

    it('forgets what was seen of another upstream', async () => {
      await stores.catalog.putChecks(checks);

      await stores.catalog.putChannel({ ...CHANNEL, baseUrl: 'https://elsewhere.example/v1' });

      expect(stores.configuration.catalog().checks.size).toBe(0);
      expect(failedChecks()).toEqual([undefined]);
    });

    it('forgets what belongs to no offering', async () => {
      await stores.catalog.putChecks(checks);

      await stores.catalog.remove('offering', OFFERING.id);

      expect(stores.configuration.catalog().checks.size).toBe(0);
    });
  });

  it('removes what is not there without an error', async () => {
    await expect(stores.catalog.remove('model', 'none')).resolves.toBeUndefined();
  });

  it('is built once for many readers', async () => {
    await register(stores);

    expect(stores.configuration.catalog()).toBe(stores.configuration.catalog());
  });
}
