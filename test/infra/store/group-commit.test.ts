import { err, ok, type Result } from '../../../src/domain/kernel/result';
import { DEFAULT_LIMITS, GroupCommit, type BatchCommitter } from '../../../src/infra/store/group-commit';
import { StoreUnavailable } from '../../../src/usecase/port/store-unavailable';
import { FakeClock, settled } from '../../support/fake-clock';

/** Remembers its batches; a write named `bad` fails alone, and `down` makes it fail as a whole. */
class ScriptedCommitter implements BatchCommitter<string, string> {
  readonly batches: string[][] = [];
  state: 'up' | 'down' = 'up';

  commit(writes: readonly string[]): Promise<readonly Result<string, unknown>[]> {
    if (this.state === 'down') return Promise.reject(new Error('disk I/O error'));
    this.batches.push([...writes]);
    return Promise.resolve(
      writes.map((write) => (write === 'bad' ? err(new Error('bad write')) : ok(`${write}!`))),
    );
  }
}

describe('group commit', () => {
  let committer: ScriptedCommitter;
  beforeEach(() => {
    committer = new ScriptedCommitter();
  });

  it('commits the writes of one turn together, in their order', async () => {
    const writes = new GroupCommit(committer);

    const results = await Promise.all([writes.submit('a'), writes.submit('b'), writes.submit('c')]);

    expect(results).toEqual(['a!', 'b!', 'c!']);
    expect(committer.batches).toEqual([['a', 'b', 'c']]);
  });

  it('commits a later write in a later batch', async () => {
    const writes = new GroupCommit(committer);

    await writes.submit('a');
    await writes.submit('b');

    expect(committer.batches).toEqual([['a'], ['b']]);
  });

  it('splits what is more than a batch', async () => {
    const writes = new GroupCommit(committer, { ...DEFAULT_LIMITS, batch: 2 });

    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((write) => writes.submit(write)));

    expect(committer.batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('rejects a bad write alone', async () => {
    const writes = new GroupCommit(committer);

    const outcomes = await Promise.allSettled([writes.submit('a'), writes.submit('bad'), writes.submit('c')]);

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: new Error('bad write') },
      { status: 'fulfilled', value: 'c!' },
    ]);
  });

  it('rejects all writes of a batch that could not be committed, and goes on with the next', async () => {
    const writes = new GroupCommit(committer);
    committer.state = 'down';

    const outcomes = await Promise.allSettled([writes.submit('a'), writes.submit('b')]);
    committer.state = 'up';

    expect(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable),
    ).toEqual([true, true]);
    expect(await writes.submit('c')).toBe('c!');
  });

  it('refuses what is more than its queue holds, and takes writes again when it is empty', async () => {
    const writes = new GroupCommit(committer, { ...DEFAULT_LIMITS, batch: 2, queue: 2 });

    const outcomes = await Promise.allSettled([writes.submit('a'), writes.submit('b'), writes.submit('c')]);

    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(await writes.submit('d')).toBe('d!');
  });

  it('settles what is waiting before it has drained, and refuses what comes then', async () => {
    const writes = new GroupCommit(committer, { ...DEFAULT_LIMITS, batch: 1 });
    const waiting = Promise.all([writes.submit('a'), writes.submit('b')]);

    const drained = writes.drain();
    const late = writes.submit('late');

    await expect(late).rejects.toBeInstanceOf(StoreUnavailable);
    await drained;
    expect(committer.batches).toEqual([['a'], ['b']]);
    expect(await waiting).toEqual(['a!', 'b!']);
  });

  describe('while writes come often', () => {
    let clock: FakeClock;
    let writes: GroupCommit<string, string>;
    beforeEach(() => {
      clock = new FakeClock();
      writes = new GroupCommit(committer, { ...DEFAULT_LIMITS, siblings: 3, delayMs: 2 }, clock);
    });

    const submit = (...names: readonly string[]): Promise<unknown> =>
      Promise.all(names.map((name) => writes.submit(name)));

    it('lets the next ones wait for company', async () => {
      await submit('a', 'b', 'c');
      const next = submit('d');
      await clock.advance(1);
      const another = submit('e');
      await settled();
      expect(committer.batches).toEqual([['a', 'b', 'c']]);

      await clock.advance(1);
      await Promise.all([next, another]);
      expect(committer.batches).toEqual([
        ['a', 'b', 'c'],
        ['d', 'e'],
      ]);
    });

    it('does not wait after a commit that had little company', async () => {
      await submit('a', 'b');
      await submit('c');
      expect(committer.batches).toEqual([['a', 'b'], ['c']]);
    });

    it('does not wait when the last commit is long enough ago', async () => {
      await submit('a', 'b', 'c');
      await clock.advance(2);
      await submit('d');
      expect(clock.pendingTimers).toBe(0);
    });

    it('settles what waits before it has drained', async () => {
      await submit('a', 'b', 'c');
      const last = submit('d');
      const drained = writes.drain();
      await clock.advance(2);
      await drained;
      expect(await last).toEqual(['d!']);
    });
  });

  describe('on a store that hangs', () => {
    class HangingCommitter implements BatchCommitter<string, string> {
      commits = 0;
      answer = (): void => undefined;

      commit(writes: readonly string[]): Promise<readonly Result<string, unknown>[]> {
        this.commits += 1;
        return new Promise(
          (resolve) => (this.answer = () => resolve(writes.map((write) => ok(`${write}!`)))),
        );
      }
    }

    const LIMITS = { ...DEFAULT_LIMITS, batch: 1, commitMs: 5_000 };
    let clock: FakeClock;
    let hanging: HangingCommitter;
    let writes: GroupCommit<string, string>;
    beforeEach(() => {
      clock = new FakeClock();
      hanging = new HangingCommitter();
      writes = new GroupCommit(hanging, LIMITS, clock);
    });

    const failureOf = (write: Promise<unknown>): Promise<unknown> => write.catch((error: unknown) => error);

    it('gives the commit up in time: its own writes may be there, those behind them are not', async () => {
      const failures = Promise.all([failureOf(writes.submit('a')), failureOf(writes.submit('b'))]);
      await clock.advance(4_999);
      expect(clock.pendingTimers).toBe(1);

      await clock.advance(1);

      expect(await failures).toMatchObject([
        { name: 'StoreUnavailable', written: 'unknown' },
        { name: 'StoreUnavailable', written: 'no' },
      ]);
    });

    it('refuses at once what comes until it has answered, and then takes writes again', async () => {
      const first = failureOf(writes.submit('a'));
      await clock.advance(5_000);
      await first;

      expect(await failureOf(writes.submit('b'))).toMatchObject({ written: 'no' });
      expect(hanging.commits).toBe(1);
      hanging.answer();
      await settled();
      const later = writes.submit('c');
      await settled();
      hanging.answer();
      expect(await later).toBe('c!');
    });

    it('can be drained', async () => {
      const first = failureOf(writes.submit('a'));

      const drained = writes.drain();
      await clock.advance(5_000);

      await drained;
      expect(await first).toMatchObject({ name: 'StoreUnavailable' });
    });

    it('has no timer running when it is idle', async () => {
      const write = writes.submit('a');
      await settled();
      hanging.answer();
      await write;
      await settled();

      expect(clock.pendingTimers).toBe(0);
    });
  });
});
