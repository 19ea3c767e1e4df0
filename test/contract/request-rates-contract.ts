import type { RateCounter } from '../../src/domain/rate/rate-counter';
import type { RequestRates } from '../../src/usecase/port/request-rates';

export type RatesUnderTest = Readonly<{
  rates: RequestRates;
  /** Lets so much time pass, milliseconds. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}>;

const MINUTE_MS = 60_000;
const KEY: RateCounter = { scope: 'key', id: 'key_1', limit: 2 };

export function requestRatesContract(open: () => Promise<RatesUnderTest>): void {
  let test: RatesUnderTest;
  beforeEach(async () => {
    test = await open();
  });
  afterEach(() => test.close());

  const take = async (counter = KEY): Promise<boolean> => (await test.rates.take(counter)).admitted;
  const remaining = async (counter = KEY): Promise<number | undefined> =>
    (await test.rates.look([counter]))[0]?.remaining;

  it('take as many requests as the limit says, and not one more', async () => {
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  });

  it('tell what is left, and that nothing has begun before the first request', async () => {
    const before = await test.rates.look([KEY]);
    const first = await test.rates.take(KEY);
    await test.pass(10_000);
    const second = await test.rates.take(KEY);
    const third = await test.rates.take(KEY);

    expect(before).toEqual([{ remaining: 2, resetMs: 0 }]);
    expect([first, second, third].map(({ remaining: left }) => left)).toEqual([1, 0, 0]);
    expect(first.resetMs).toBeGreaterThan(MINUTE_MS - 2_000);
    expect(first.resetMs).toBeLessThanOrEqual(MINUTE_MS);
    expect(third.resetMs).toBeGreaterThan(MINUTE_MS - 12_000);
    expect(third.resetMs).toBeLessThanOrEqual(MINUTE_MS - 10_000);
  });

  it('cost nothing to look at', async () => {
    await test.rates.look([KEY, KEY, KEY, KEY]);

    expect([await take(), await take()]).toEqual([true, true]);
  });

  it('charge nothing for what they refuse: a higher limit is all there at once', async () => {
    await take();
    await take();
    for (let refused = 0; refused < 5; refused += 1) await take();

    expect(await remaining({ ...KEY, limit: 5 })).toBe(3);
  });

  it('take back what was counted and not made', async () => {
    await take();
    await take();
    await test.rates.giveBack(KEY);

    expect(await remaining()).toBe(1);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  it('take nothing back of a minute that is over', async () => {
    await take();
    await test.pass(MINUTE_MS);
    await test.rates.giveBack(KEY);

    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  });

  it('hold to a lower limit at once', async () => {
    await take();

    expect(await take({ ...KEY, limit: 1 })).toBe(false);
  });

  it('give the last place of a race to one', async () => {
    await take();

    const racers = await Promise.all(Array.from({ length: 8 }, () => take()));

    expect(racers.filter((admitted) => admitted)).toHaveLength(1);
    expect(await remaining()).toBe(0);
  });

  it('begin again when the minute that began with the first request is over', async () => {
    await take();
    await test.pass(MINUTE_MS - 5_000);
    await take();
    const refused = await take();
    await test.pass(5_000);

    expect(refused).toBe(false);
    expect(await remaining()).toBe(2);
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  });

  it('are not lengthened by what they refuse', async () => {
    await take();
    await take();
    await test.pass(MINUTE_MS - 1_000);
    await take();
    await test.pass(1_000);

    expect(await take()).toBe(true);
  });

  it('count keys and groups apart, and tell them in the order in which they are asked for', async () => {
    const group: RateCounter = { scope: 'group', id: 'key_1', limit: 7 };
    const odd: RateCounter = { scope: 'group', id: 'acme/a b:ü', limit: 1 };
    await take();
    await take(odd);

    const states = await test.rates.look([odd, group, KEY]);

    expect(states.map(({ remaining: left }) => left)).toEqual([0, 7, 1]);
    expect(await test.rates.look([])).toEqual([]);
  });
}
