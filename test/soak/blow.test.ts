import fc from 'fast-check';
import { Draws } from '../support/money/draws';
import { blowsOf } from './blow';

const THREE_MINUTES_MS = 180_000;

describe('the blows of a soak', () => {
  it('are ten kills and more, and one outage of 30 s among shorter ones, whatever the seed', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const blows = blowsOf(THREE_MINUTES_MS, 2, new Draws(seed));

        const away = blows.flatMap((blow) => (blow.kind === 'store_away' ? [blow.forMs] : []));
        const kills = blows.flatMap((blow) => (blow.kind === 'kill' ? [blow.gateway] : []));
        expect(kills.length).toBeGreaterThanOrEqual(10);
        expect(kills.every((gateway) => [0, 1].includes(gateway))).toBe(true);
        expect(away.filter((forMs) => forMs === 30_000)).toHaveLength(1);
        expect(away).toHaveLength(3);
        expect(blows.every(({ atMs }) => atMs >= 0 && atMs < THREE_MINUTES_MS)).toBe(true);
      }),
    );
  });

  it('never take the store away twice at once, however short the run', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 30_000, max: 1_200_000 }), (seed, durationMs) => {
        const blows = blowsOf(durationMs, 2, new Draws(seed));

        const away = blows.flatMap((blow) => (blow.kind === 'store_away' ? [blow] : []));
        for (const [index, { atMs }] of away.slice(1).entries()) {
          expect(atMs).toBeGreaterThan(away[index]!.atMs + away[index]!.forMs);
        }
      }),
    );
  });

  it('come again with the same seed', () => {
    expect(blowsOf(THREE_MINUTES_MS, 2, new Draws(7))).toEqual(blowsOf(THREE_MINUTES_MS, 2, new Draws(7)));
  });
});
