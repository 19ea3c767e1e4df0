import pino from 'pino';
import { Registry } from 'prom-client';
import { SpoolMeter } from '../../../src/infra/telemetry/spool-meter';

describe('the meter of the spool', () => {
  let registry: Registry;
  let messages: string[];
  let meter: SpoolMeter;
  beforeEach(() => {
    registry = new Registry();
    messages = [];
    const write = (line: string): void => void messages.push((JSON.parse(line) as { msg: string }).msg);
    meter = new SpoolMeter(registry, pino({ base: null }, { write }));
  });

  const valueOf = async (name: string): Promise<unknown> =>
    (await registry.getSingleMetric(name)!.get()).values[0]!.value;

  it('says once that the spool fills and once that it is empty, however much happens between', () => {
    meter.depth(0);
    meter.kept(2, new Error('away'));
    meter.depth(2);
    meter.kept(1, new Error('away'));
    meter.depth(3);
    meter.written(2);
    meter.depth(1);
    meter.written(1);
    meter.depth(0);
    meter.depth(0);

    expect(messages).toEqual([
      'the store takes no closing records: they are kept in the spool until it does',
      'the spool is empty: every closing record is in the store',
    ]);
  });

  it('says so when an earlier process has left something', () => {
    meter.depth(4);

    expect(messages).toEqual(['closing records are in the spool']);
  });

  it('counts what is there, what came and what went', async () => {
    meter.kept(3, new Error('away'));
    meter.depth(3);
    meter.written(2);
    meter.depth(1);

    expect(await valueOf('schneeai_spool_closings')).toBe(1);
    expect(await valueOf('schneeai_spooled_closings_total')).toBe(3);
    expect(await valueOf('schneeai_spool_written_closings_total')).toBe(2);
  });
});
