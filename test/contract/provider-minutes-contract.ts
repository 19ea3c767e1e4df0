import type { ProviderMinute } from '../../src/domain/health/observed-success';
import type { OpenStores, Stores } from './stores';

const minute = (number: number, more: Partial<ProviderMinute> = {}): ProviderMinute => ({
  provider: 'openai',
  minuteMs: number * 60_000,
  answered: 1,
  failed: 0,
  ...more,
});

export function providerMinutesContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  const since = async (number: number) => {
    const minutes = await stores.providerMinutes.since(number * 60_000);
    return [...minutes].sort((a, b) => a.minuteMs - b.minuteMs || (a.provider < b.provider ? -1 : 1));
  };

  it('add up, whoever counted them', async () => {
    await stores.providerMinutes.add([minute(1), minute(1, { provider: 'anthropic', failed: 2 })], 0);
    await stores.providerMinutes.add([minute(2, { answered: 5 }), minute(1, { answered: 3, failed: 1 })], 0);

    expect(await since(1)).toEqual([
      minute(1, { provider: 'anthropic', failed: 2 }),
      minute(1, { answered: 4, failed: 1 }),
      minute(2, { answered: 5 }),
    ]);
  });

  it('are told from a minute on, and forgotten before one', async () => {
    await stores.providerMinutes.add([minute(1), minute(2), minute(3)], 0);
    expect(await since(2)).toEqual([minute(2), minute(3)]);

    await stores.providerMinutes.add([], 2 * 60_000);

    expect(await since(0)).toEqual([minute(2), minute(3)]);
  });
}
