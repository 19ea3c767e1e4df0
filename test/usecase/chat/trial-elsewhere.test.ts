import { openedUntil } from '../../../src/domain/health/route-health';
import type { TrialSlots } from '../../../src/usecase/port/trial-slots';
import { ChatBench, type BenchInput } from '../../support/chat-bench';
import { answers } from '../../support/scripted-behaviours';

/** The slots of all replicas, of which others hold those of these routes. */
class SlotsOfAll implements TrialSlots {
  readonly asked: string[] = [];

  constructor(private readonly heldElsewhere: readonly string[]) {}

  async claim(route: string): Promise<boolean> {
    this.asked.push(route);
    return !this.heldElsewhere.includes(route);
  }
}

/** The primary's circuit is open, and its time is over. */
function benchWith(trials: SlotsOfAll, input: Partial<BenchInput> = {}): ChatBench {
  const script = { 'oa-1': [answers('primary', 30, 20)], an: [answers('fallback', 30, 20)] };
  const bench = new ChatBench({ script, trials, ...input });
  bench.health.set('oa-1', openedUntil(bench.health.get('oa-1'), bench.clock.nowMs()));
  return bench;
}

describe('a primary that comes back from an outage, and that another replica tries', () => {
  it('is not tried here, and the fallback answers', async () => {
    const bench = benchWith(new SlotsOfAll(['oa-1']));

    const reply = await bench.complete();

    expect(reply.error).toBeUndefined();
    expect(bench.provider.calls.map(({ route }) => route)).toEqual(['an']);
    expect(bench.circuitOf('oa-1')).toMatchObject({ state: 'half_open', trialSinceMs: expect.any(Number) });
  });

  it('without a fallback is a fast 503', async () => {
    const bench = benchWith(new SlotsOfAll(['oa-1']), { policy: null });

    const reply = await bench.complete();

    expect(reply.error).toMatchObject({ code: 'no_eligible_route' });
    expect(bench.provider.calls).toEqual([]);
  });

  it('is tried here as soon as the slot is given here', async () => {
    const trials = new SlotsOfAll([]);
    const bench = benchWith(trials);

    await bench.complete();

    expect(bench.provider.calls.map(({ route }) => route)).toEqual(['oa-1']);
    expect(bench.circuitOf('oa-1').state).toBe('closed');
    expect(trials.asked).toEqual(['oa-1']);
  });
});

it('nobody is asked for leave while the circuit is closed', async () => {
  const trials = new SlotsOfAll([]);
  const bench = new ChatBench({ script: { 'oa-1': [answers('primary', 30, 20)] }, trials });

  await bench.complete();

  expect(trials.asked).toEqual([]);
});
