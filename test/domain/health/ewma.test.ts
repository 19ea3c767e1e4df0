import fc from 'fast-check';
import { addSample, meanOf } from '../../../src/domain/health/ewma';

describe('ewma', () => {
  it('has no mean without samples', () => {
    expect(meanOf(null)).toBeNull();
  });

  it('is the first sample after one', () => {
    expect(meanOf(addSample(null, 250, 1_000))).toBe(250);
  });

  it('is the plain mean of samples of the same instant', () => {
    const mean = [100, 200, 600].reduce<ReturnType<typeof addSample> | null>(
      (sofar, sample) => addSample(sofar, sample, 5_000),
      null,
    );

    expect(meanOf(mean)).toBe(300);
  });

  it('counts a sample half after five minutes', () => {
    const mean = addSample(addSample(null, 300, 0), 600, 300_000);

    // (300 × ½ + 600) / (½ + 1)
    expect(meanOf(mean)).toBe(500);
  });

  it('forgets what is very long ago', () => {
    const mean = addSample(addSample(null, 300, 0), 600, 1e15);

    expect(meanOf(mean)).toBe(600);
  });

  it('fades nothing when the clock goes back', () => {
    const mean = addSample(addSample(null, 100, 900_000), 300, 0);

    expect(meanOf(mean)).toBe(200);
    expect(mean.atMs).toBe(900_000);
  });

  it('lies between the smallest and the largest sample', () => {
    const samples = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 1e9 })),
      {
        minLength: 1,
      },
    );

    fc.assert(
      fc.property(samples, (taken) => {
        let mean = null;
        for (const [sample, nowMs] of taken) mean = addSample(mean, sample, nowMs);
        const values = taken.map(([sample]) => sample);

        expect(meanOf(mean)).toBeGreaterThanOrEqual(Math.min(...values) - 1e-6);
        expect(meanOf(mean)).toBeLessThanOrEqual(Math.max(...values) + 1e-6);
      }),
    );
  });
});
