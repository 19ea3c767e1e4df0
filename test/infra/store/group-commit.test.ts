import { err, ok, type Result } from '../../../src/domain/kernel/result';
import { GroupCommit, type BatchCommitter } from '../../../src/infra/store/group-commit';
import { StoreUnavailable } from '../../../src/usecase/port/store-unavailable';

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
    const writes = new GroupCommit(committer, { batch: 2, queue: 10 });

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
    const writes = new GroupCommit(committer, { batch: 2, queue: 2 });

    const outcomes = await Promise.allSettled([writes.submit('a'), writes.submit('b'), writes.submit('c')]);

    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(await writes.submit('d')).toBe('d!');
  });

  it('settles what is waiting before it has drained, and refuses what comes then', async () => {
    const writes = new GroupCommit(committer, { batch: 1, queue: 10 });
    const waiting = Promise.all([writes.submit('a'), writes.submit('b')]);

    const drained = writes.drain();
    const late = writes.submit('late');

    await expect(late).rejects.toBeInstanceOf(StoreUnavailable);
    await drained;
    expect(committer.batches).toEqual([['a'], ['b']]);
    expect(await waiting).toEqual(['a!', 'b!']);
  });
});
