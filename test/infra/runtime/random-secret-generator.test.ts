import { RandomSecretGenerator } from '../../../src/infra/runtime/random-secret-generator';
import { SystemClock } from '../../../src/infra/runtime/system-clock';
import { SystemRandom } from '../../../src/infra/runtime/system-random';

describe('secrets', () => {
  const secrets = new RandomSecretGenerator();

  it('are recognisable, URL-safe and of 192 bits', () => {
    expect(secrets.newSecret()).toMatch(/^sk-schnee-[A-Za-z0-9_-]{32}$/);
  });

  it('never repeat', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => secrets.newSecret())).size).toBe(1_000);
  });

  it('are kept as SHA-256', () => {
    expect(secrets.hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('the system’s clock and chance', () => {
  it('tells milliseconds since the epoch', () => {
    jest.useFakeTimers({ now: 1_796_000_000_123 });

    expect(new SystemClock().nowMs()).toBe(1_796_000_000_123);
    jest.useRealTimers();
  });

  it('draws from 0 to below 1', () => {
    const draws = Array.from({ length: 1_000 }, () => new SystemRandom().unit());

    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    expect(new Set(draws).size).toBeGreaterThan(990);
  });
});
