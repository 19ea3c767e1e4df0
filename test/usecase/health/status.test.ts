import type { ProviderMinute } from '../../../src/domain/health/observed-success';
import { ReadStatus } from '../../../src/usecase/health/read-status';
import { TallyAttempts } from '../../../src/usecase/health/tally-attempts';
import type { ProviderMinutes } from '../../../src/usecase/port/provider-minutes';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';
import { sampleEntries } from '../../support/sample-catalog';

class MinutesInMemory implements ProviderMinutes {
  readonly added: ProviderMinute[] = [];
  reads = 0;
  gone = false;

  async add(minutes: readonly ProviderMinute[]): Promise<void> {
    if (this.gone) throw new Error('gone');
    this.added.push(...minutes);
  }

  async since(): Promise<readonly ProviderMinute[]> {
    this.reads += 1;
    if (this.gone) throw new Error('gone');
    return this.added;
  }
}

describe('the status of providers', () => {
  let clock: FakeClock;
  let minutes: MinutesInMemory;
  let tallies: TallyAttempts;
  let status: ReadStatus;

  beforeEach(() => {
    clock = new FakeClock(Date.parse('2026-11-30T12:00:30Z'));
    minutes = new MinutesInMemory();
    tallies = new TallyAttempts({ minutes, clock });
    status = new ReadStatus({ configuration: new InMemoryConfiguration(sampleEntries()), minutes, clock });
  });

  const attempt = (outcome: 'served' | 'failed', endedAtMs = clock.nowMs()) =>
    tallies.observe({
      ...FAILED_ATTEMPT,
      endedAtMs,
      ...(outcome === 'served' ? { outcome: { kind: 'served', finishReason: 'stop' } as const } : {}),
    });
  const provider = FAILED_ATTEMPT.route.provider;
  const lastHour = async () =>
    (await status.execute()).providers.find((one) => one.provider === provider)?.lastHour;

  it('counts what ended, minute by minute', async () => {
    attempt('served');
    attempt('served');
    attempt('failed');
    attempt('failed', clock.nowMs() - 60_000);

    await tallies.flush();
    await tallies.flush();

    const minuteMs = Date.parse('2026-11-30T12:00:00Z');
    expect(minutes.added).toEqual([
      { provider, minuteMs, answered: 2, failed: 1 },
      { provider, minuteMs: minuteMs - 60_000, answered: 0, failed: 1 },
    ]);
  });

  it('counts later what the store did not take, as long as it is worth telling', async () => {
    minutes.gone = true;
    attempt('served');
    await expect(tallies.flush()).rejects.toThrow('gone');
    attempt('failed');
    attempt('failed', clock.nowMs() - 25 * 3_600_000);
    minutes.gone = false;

    await tallies.flush();

    expect(minutes.added).toMatchObject([{ answered: 1, failed: 1 }]);
  });

  it('names every provider that serves, by its name, and whoever was called', async () => {
    minutes.added.push({ provider: 'retired', minuteMs: clock.nowMs(), answered: 1, failed: 0 });

    const { providers, atMs } = await status.execute();

    expect(atMs).toBe(clock.nowMs());
    expect(providers.map((one) => one.provider)).toContain('retired');
    expect(providers.find((one) => one.provider === provider)).toMatchObject({
      lastHour: null,
      name: expect.any(String),
    });
  });

  it('asks the store once in 15 seconds, however many ask', async () => {
    await Promise.all([status.execute(), status.execute()]);
    await clock.advance(14_999);
    await status.execute();
    expect(minutes.reads).toBe(1);

    await clock.advance(1);
    attempt('served');
    await tallies.flush();
    expect(await lastHour()).toBe(100);
    expect(minutes.reads).toBe(2);
  });

  it('tells what was so while the store is gone, and an error if it knows nothing', async () => {
    const known = await status.execute();
    minutes.gone = true;
    await clock.advance(15_000);
    expect(await status.execute()).toEqual(known);

    const newcomer = new ReadStatus({ configuration: new InMemoryConfiguration(), minutes, clock });
    await expect(newcomer.execute()).rejects.toThrow('gone');
  });
});
