import { join } from 'node:path';
import { ClosingSpool } from '../../../../src/infra/store/spool/closing-spool';
import { SpoolFolder } from '../../../../src/infra/store/spool/spool-folder';
import type { SpoolObserver } from '../../../../src/infra/store/spool/spool-observer';
import { SpoolReplayer } from '../../../../src/infra/store/spool/spool-replayer';
import { SpoolingInteractionStore } from '../../../../src/infra/store/spool/spooling-interaction-store';
import type { InteractionStore } from '../../../../src/usecase/port/interaction-store';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import type { Stores } from '../../../contract/stores';
import { RecordingIncidents } from '../../../support/recording-incidents';
import { closing, opening } from '../../../support/store/sample-records';
import { openInMemory, temporaryFolder } from '../../../support/store/sqlite-stores';

/** A store that can be away. `lost`: it takes a write and its word of that is lost. */
class Moody implements InteractionStore {
  mood: 'there' | 'away' | 'lost' = 'there';

  constructor(private readonly store: InteractionStore) {}

  open(...args: Parameters<InteractionStore['open']>): ReturnType<InteractionStore['open']> {
    return this.moodily(() => this.store.open(...args));
  }

  advance(...args: Parameters<InteractionStore['advance']>): ReturnType<InteractionStore['advance']> {
    return this.moodily(() => this.store.advance(...args));
  }

  close(...args: Parameters<InteractionStore['close']>): ReturnType<InteractionStore['close']> {
    return this.moodily(() => this.store.close(...args));
  }

  private async moodily<T>(write: () => Promise<T>): Promise<T> {
    if (this.mood === 'away') throw new StoreUnavailable('away');
    const written = await write();
    if (this.mood === 'lost') throw new StoreUnavailable('lost', { written: 'unknown' });
    return written;
  }
}

class Heard implements SpoolObserver {
  readonly heard: string[] = [];

  depth(closings: number): void {
    this.heard.push(`depth ${closings}`);
  }

  kept(closings: number): void {
    this.heard.push(`kept ${closings}`);
  }

  written(closings: number): void {
    this.heard.push(`written ${closings}`);
  }
}

describe('an interaction store with a spool', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Stores;
  let below: Moody;
  let incidents: RecordingIncidents;
  let observer: Heard;
  beforeEach(async () => {
    folder = temporaryFolder();
    stores = await openInMemory();
    below = new Moody(stores.interactions);
    incidents = new RecordingIncidents();
    observer = new Heard();
  });
  afterEach(async () => {
    await stores.close();
    folder.remove();
  });

  /** One process of the data folder. */
  function startProcess(): Readonly<{
    store: SpoolingInteractionStore;
    replayer: SpoolReplayer;
    spool: ClosingSpool;
  }> {
    const spoolFolder = new SpoolFolder(join(folder.path, 'spool'));
    const spool = new ClosingSpool(spoolFolder, observer);
    const replayer = new SpoolReplayer({
      spool,
      folder: spoolFolder,
      store: below,
      auditLog: stores.auditLog,
      incidents,
      observer,
    });
    return { store: new SpoolingInteractionStore(below, spool, incidents), replayer, spool };
  }

  const stateOf = async (requestId: string): Promise<unknown> =>
    (await stores.auditLog.find(requestId))?.state;

  describe('while the store is there', () => {
    it('passes everything on, and keeps nothing', async () => {
      const { store, spool } = startProcess();

      await store.open(opening('req_1'));
      expect(await store.close(closing('req_1'))).toBe('closed');

      expect(await stateOf('req_1')).toBe('served');
      expect(await spool.files()).toEqual([]);
    });

    it('reports an ending that came after that of a reconciliation', async () => {
      const { store } = startProcess();
      await store.open(opening('req_1'));
      await stores.interactions.close(closing('req_1', { state: 'interrupted' }));

      expect(await store.close(closing('req_1'))).toBe('already_closed');

      expect(incidents.superseded).toMatchObject([{ requestId: 'req_1', state: 'served' }]);
    });

    it('reports nothing when a reconciliation comes after somebody else', async () => {
      const { store } = startProcess();
      await stores.interactions.open(opening('req_1'));
      await stores.interactions.close(closing('req_1'));

      await store.close(closing('req_1', { state: 'interrupted' }));

      expect(incidents.superseded).toEqual([]);
    });
  });

  describe('while the store is away', () => {
    it('keeps the closing record of an interaction that it opened', async () => {
      const { store, spool } = startProcess();
      await store.open(opening('req_1'));
      below.mood = 'away';

      expect(await store.close(closing('req_1'))).toBe('spooled');

      expect(await spool.files()).toMatchObject([{ closings: 1 }]);
      expect(observer.heard.slice(0, 2)).toEqual(['kept 1', 'depth 1']);
    });

    it('keeps no opening, and no closing of what was never opened', async () => {
      const { store, spool } = startProcess();
      below.mood = 'away';

      const outcomes = await Promise.allSettled([
        store.open(opening('req_1')),
        store.close(closing('req_1', { lastAttempt: null })),
      ]);

      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await spool.files()).toEqual([]);
    });

    it('keeps no closing of a reconciliation, which finds the row again', async () => {
      await stores.interactions.open(opening('req_1'));
      const { store, spool } = startProcess();
      below.mood = 'away';

      await expect(store.close(closing('req_1', { state: 'interrupted' }))).rejects.toBeInstanceOf(
        StoreUnavailable,
      );

      expect(await spool.files()).toEqual([]);
    });

    it('rejects when the spool takes nothing either', async () => {
      const { store, spool } = startProcess();
      await store.open(opening('req_1'));
      below.mood = 'away';
      await spool.drain();

      await expect(store.close(closing('req_1'))).rejects.toBeInstanceOf(StoreUnavailable);
    });

    it('is idle when every interaction has its ending in the store or on disk', async () => {
      const { store } = startProcess();
      await store.open(opening('req_1'));
      await store.open(opening('req_2'));
      let idle = false;
      const becomesIdle = store.idle().then(() => (idle = true));

      await store.close(closing('req_1'));
      expect(idle).toBe(false);
      below.mood = 'away';
      await store.close(closing('req_2'));

      await becomesIdle;
      await store.idle();
    });
  });

  describe('when the store is back', () => {
    async function spooled(...ids: string[]): Promise<void> {
      const { store } = startProcess();
      for (const id of ids) await store.open(opening(id));
      below.mood = 'away';
      await Promise.all(ids.map((id) => store.close(closing(id))));
    }

    it('writes what was kept, with its ledger, whichever process kept it', async () => {
      await spooled('req_1', 'req_2');
      const { replayer, spool } = startProcess();
      await expect(replayer.writeAll()).rejects.toBeInstanceOf(StoreUnavailable);
      below.mood = 'there';

      await replayer.writeAll();

      expect(await stores.auditLog.find('req_1')).toMatchObject({
        state: 'served',
        closing: { costMicroUsd: 214 },
        ledger: [{ number: 1, outcome: 'served', channel: 'ch_openai_us', costMicroUsd: 214 }],
      });
      expect(await stateOf('req_2')).toBe('served');
      expect(await spool.files()).toEqual([]);
      expect(observer.heard.slice(-3)).toEqual(['written 2', 'depth 0', 'depth 0']);
      expect(incidents.superseded).toEqual([]);
    });

    it('writes nothing twice, though two processes try at once', async () => {
      await spooled('req_1', 'req_2');
      below.mood = 'there';

      await Promise.all([startProcess().replayer.writeAll(), startProcess().replayer.writeAll()]);

      expect(await stateOf('req_1')).toBe('served');
      expect([incidents.superseded, incidents.notRecorded]).toEqual([[], []]);
    });

    it('finds an ending there already whose commit was only not acknowledged', async () => {
      const { store, replayer, spool } = startProcess();
      await store.open(opening('req_1'));
      below.mood = 'lost';
      expect(await store.close(closing('req_1'))).toBe('spooled');
      below.mood = 'there';

      await replayer.writeAll();

      expect(await stateOf('req_1')).toBe('served');
      expect([await spool.files(), incidents.superseded]).toEqual([[], []]);
    });

    it('leaves a row that was closed as interrupted meanwhile, and reports what really happened', async () => {
      await spooled('req_1');
      await stores.interactions.close(closing('req_1', { state: 'interrupted', lastAttempt: null }));
      below.mood = 'there';

      await startProcess().replayer.writeAll();

      expect(await stateOf('req_1')).toBe('interrupted');
      expect(incidents.superseded).toMatchObject([
        { requestId: 'req_1', state: 'served', costMicroUsd: 214 },
      ]);
    });

    it('closes an interaction whose opening may have been written, or forgets it', async () => {
      const { store, replayer, spool } = startProcess();
      const unsent = {
        state: 'failed',
        served: null,
        errorCode: 'audit_unavailable',
        attempts: 0,
        lastAttempt: null,
      } as const;
      below.mood = 'lost';
      await expect(store.open(opening('req_written'))).rejects.toThrow('lost');
      below.mood = 'away';
      await store.close(closing('req_written', unsent));
      await spool.keep(closing('req_not_written', unsent), null);
      below.mood = 'there';

      await replayer.writeAll();

      expect(await stateOf('req_written')).toBe('failed');
      expect(await stateOf('req_not_written')).toBeUndefined();
      expect([await spool.files(), incidents.notRecorded]).toEqual([[], []]);
    });

    it('reports a record that the store refuses, and goes on with the others', async () => {
      const { spool, replayer } = startProcess();
      await Promise.all([spool.keep(closing('req_never_opened'), null), spool.keep(closing('req_1'), null)]);
      await stores.interactions.open(opening('req_1'));

      await replayer.writeAll();

      expect(incidents.notRecorded).toMatchObject([{ requestId: 'req_never_opened' }]);
      expect(await stateOf('req_1')).toBe('served');
    });
  });
});
