import { microUsdOf } from '../../../src/domain/kernel/money';

describe('money', () => {
  it.each([
    { pico: 0, micro: 0 },
    { pico: 1, micro: 1 },
    { pico: 1_000_000, micro: 1 },
    { pico: 1_000_001, micro: 2 },
    { pico: 12_119_999_999, micro: 12_120 },
  ])('rounds $pico pico-USD up to $micro micro-USD', ({ pico, micro }) => {
    expect(microUsdOf(pico)).toBe(micro);
  });
});
