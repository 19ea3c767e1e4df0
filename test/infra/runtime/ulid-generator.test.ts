import { UlidGenerator } from '../../../src/infra/runtime/ulid-generator';

describe('ULIDs', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00Z') }));
  afterEach(() => jest.useRealTimers());

  it('carry their prefix', () => {
    expect(new UlidGenerator().next('req')).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('sort in the order in which they were made, within a millisecond and when the clock goes back', () => {
    const ids = new UlidGenerator();
    const made: string[] = [];

    for (const stepMs of [0, 1, -5_000, 0, 10_000]) {
      jest.setSystemTime(Date.now() + stepMs);
      for (let count = 0; count < 500; count += 1) made.push(ids.next('req'));
    }

    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(2_500);
  });
});
