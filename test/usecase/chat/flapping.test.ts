import { ChatBench } from '../../support/chat-bench';
import { answers, failsWith } from '../../support/scripted-behaviours';
import type { Behaviour } from '../../support/scripted-provider';

const DOWN_MS = 60_000;
const UP_MS = 60_000;
const CYCLE_MS = DOWN_MS + UP_MS;
const OUTAGES = 4;

const LOADS = [
  { name: 'five requests a second', everyMs: 200 },
  { name: 'two requests a second', everyMs: 500 },
  { name: 'a request a second', everyMs: 1_000 },
  { name: 'a request in seven seconds', everyMs: 7_000 },
];

type Call = Readonly<{ outage: number; sinceMs: number; isDown: boolean; openSince: boolean }>;

/** A primary that is down for a minute and up for a minute, again and again, with a fallback that always answers. */
async function flap(everyMs: number): Promise<Readonly<{ bench: ChatBench; calls: readonly Call[] }>> {
  const calls: Call[] = [];
  const primary = (): Behaviour => {
    const sinceStartMs = bench.clock.nowMs() - startMs;
    const sinceMs = sinceStartMs % CYCLE_MS;
    const isDown = sinceMs < DOWN_MS;
    // A trial is a call that its circuit let through although it wasn't closed.
    const openSince = bench.circuitOf('oa-1').state !== 'closed';
    calls.push({ outage: Math.floor(sinceStartMs / CYCLE_MS), sinceMs, isDown, openSince });
    return isDown ? failsWith(503, 20) : answers('primary', 30, 20);
  };
  const bench = new ChatBench({
    script: { 'oa-1': primary, an: [answers('fallback', 30, 20)] },
    // No retry wakes in the very millisecond of the third failure: what is under way can't be called back.
    draw: () => 0.6,
  });
  const startMs = bench.clock.nowMs();
  const running: Promise<void>[] = [];
  for (let atMs = 0; atMs < OUTAGES * CYCLE_MS; atMs += everyMs) {
    running.push(bench.begin().done);
    await bench.clock.advance(everyMs);
  }
  await bench.clock.run();
  await Promise.all(running);
  return { bench, calls };
}

describe('a primary that flaps under steady load', () => {
  it.each(LOADS)(
    'costs three failed attempts an outage and one trial a period, at $name',
    async ({ everyMs }) => {
      const { calls } = await flap(everyMs);

      for (let outage = 0; outage < OUTAGES; outage += 1) {
        const failed = calls.filter((call) => call.outage === outage && call.isDown);
        expect(failed.length).toBeGreaterThan(0);
        expect(failed.filter(({ openSince }) => !openSince).length).toBeLessThanOrEqual(3);
        expect(failed.filter(({ openSince }) => openSince).length).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each(LOADS)(
    'has its traffic back within an open period and a request, at $name',
    async ({ everyMs }) => {
      const { calls } = await flap(everyMs);

      for (let outage = 0; outage < OUTAGES; outage += 1) {
        const back = calls.find((call) => call.outage === outage && !call.isDown);
        expect(back).toBeDefined();
        expect((back?.sinceMs ?? Infinity) - DOWN_MS).toBeLessThanOrEqual(60_000 + everyMs);
      }
    },
  );

  it('answers every caller all the while', async () => {
    const { bench } = await flap(1_000);

    const states = [...bench.store.interactions.values()].map(({ closing }) => closing?.state);

    expect(states).toHaveLength(480);
    expect(new Set(states)).toEqual(new Set(['served']));
  });
});
