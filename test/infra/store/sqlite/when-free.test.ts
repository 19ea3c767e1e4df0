import { whenFree } from '../../../../src/infra/store/sqlite/when-free';

const busy = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

describe('waiting for the lock of another process', () => {
  it('tries again until it is free', async () => {
    let tries = 0;

    const done = await whenFree(2_000, async () => {
      tries += 1;
      if (tries < 4) throw busy();
      return 'done';
    });

    expect({ done, tries }).toEqual({ done: 'done', tries: 4 });
  });

  it('lets the event loop go on meanwhile', async () => {
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);

    await expect(whenFree(50, () => Promise.reject(busy()))).rejects.toThrow('database is locked');

    clearInterval(turning);
    expect(turns).toBeGreaterThan(5);
  });

  it('tries once without patience', async () => {
    let tries = 0;

    await expect(
      whenFree(0, () => {
        tries += 1;
        return Promise.reject(busy());
      }),
    ).rejects.toThrow('database is locked');

    expect(tries).toBe(1);
  });

  it('does not wait where waiting is of no use', async () => {
    let tries = 0;

    await expect(
      whenFree(2_000, () => {
        tries += 1;
        return Promise.reject(new Error('disk I/O error'));
      }),
    ).rejects.toThrow('disk I/O error');

    expect(tries).toBe(1);
  });
});
