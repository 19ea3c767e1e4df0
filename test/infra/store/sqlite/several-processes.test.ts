import { join } from 'node:path';
import { openSqliteDatabase } from '../../../../src/infra/store/sqlite/sqlite-database';
import { takeWriteLock } from '../../../../src/infra/store/sqlite/write-lock';
import { ReconcileInteractions } from '../../../../src/usecase/interaction/reconcile-interactions';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { endOf, spawnScript } from '../../../support/store/child-process';
import { closing, opening, TENANT } from '../../../support/store/sample-records';
import { openSqliteStores, temporaryFolder } from '../../../support/store/sqlite-stores';

const PATIENCE_MS = 60_000;

describe('a SQLite file', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'gateway.db');
  });
  afterEach(() => folder.remove());

  describe('when its process is killed under load', () => {
    it(
      'holds every opening row that was acknowledged, and is open for business again',
      async () => {
        const child = spawnScript('write-until-killed.ts', path, 'req');
        const ended = endOf(child);
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          if (output.length > 20_000) child.kill('SIGKILL');
        });
        await ended;
        // The last line may have been cut short by the kill.
        const acknowledged = output.slice(0, output.lastIndexOf('\n')).split('\n');

        const stores = await openSqliteStores(path);

        const missing: string[] = [];
        for (const id of acknowledged) {
          if ((await stores.auditLog.find(id))?.state !== 'open') missing.push(id);
        }
        expect(acknowledged.length).toBeGreaterThan(1_000);
        expect(missing).toEqual([]);
        expect(await stores.interactions.close(closing(acknowledged[0]!))).toBe('closed');
        await stores.close();
      },
      PATIENCE_MS,
    );
  });

  describe('shared by several processes', () => {
    it(
      'is migrated once when they start at the same moment, and takes the writes of all',
      async () => {
        const children = ['a', 'b', 'c'].map((name) => spawnScript('create-tenants.ts', path, name, '20'));

        const ends = await Promise.all(children.map(endOf));

        expect(ends).toEqual(Array(3).fill({ code: 0, errors: '' }));
        const stores = await openSqliteStores(path);
        expect(stores.configuration.tenants()).toHaveLength(60);
        await stores.close();
      },
      PATIENCE_MS,
    );

    it('shows each the changes of the other after a refresh, a revocation included', async () => {
      const serving = await openSqliteStores(path);
      const commandLine = await openSqliteStores(path);
      await commandLine.tenants.insertTenant(TENANT);

      expect(serving.configuration.tenant('ten_1')).toBeUndefined();
      await serving.refresh();
      expect(serving.configuration.tenant('ten_1')).toEqual(TENANT);

      await commandLine.tenants.updateTenant({ ...TENANT, features: { failover: false } });
      await serving.refresh();
      expect(serving.configuration.tenant('ten_1')!.features.failover).toBe(false);

      await Promise.all([serving.close(), commandLine.close()]);
    });

    it("misses no change of another process that was committed just before one's own", async () => {
      const one = await openSqliteStores(path);
      const other = await openSqliteStores(path);

      await one.tenants.insertTenant(TENANT);
      await other.tenants.insertTenant({ ...TENANT, id: 'ten_2', name: 'Other' });

      expect(other.configuration.tenants().map((tenant) => tenant.id)).toEqual(['ten_1', 'ten_2']);
      await Promise.all([one.close(), other.close()]);
    });

    it('lets one of two closings in different processes win', async () => {
      const one = await openSqliteStores(path);
      const other = await openSqliteStores(path);
      await one.interactions.open(opening('req_1'));

      const outcomes = await Promise.all([
        one.interactions.close(closing('req_1')),
        other.interactions.close(closing('req_1')),
      ]);

      expect([...outcomes].sort()).toEqual(['already_closed', 'closed']);
      await Promise.all([one.close(), other.close()]);
    });

    it('has each crashed interaction closed by one of two reconciliations at once', async () => {
      const processes = [await openSqliteStores(path), await openSqliteStores(path)];
      const ids = Array.from({ length: 250 }, (_, index) => `req_${index}`);
      await Promise.all(ids.map((id) => processes[0]!.interactions.open(opening(id, { deadlineAtMs: 1 }))));

      const closed = await Promise.all(
        processes.map(({ interactions, openInteractions }) =>
          new ReconcileInteractions({
            spooled: { writeAll: () => Promise.resolve() },
            openInteractions,
            interactions,
            clock: { nowMs: () => 400_000 },
          }).execute(),
        ),
      );

      expect(closed[0]! + closed[1]!).toBe(250);
      const states = await Promise.all(ids.map(async (id) => (await processes[0]!.auditLog.find(id))!.state));
      expect(new Set(states)).toEqual(new Set(['interrupted']));
      await Promise.all(processes.map((stores) => stores.close()));
    });

    it('waits for the write of another one without holding up its own event loop', async () => {
      const stores = await openSqliteStores(path);
      const giveBack = takeWriteLock(path);
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 1);

      const written = Promise.all([
        stores.interactions.open(opening('req_1')),
        stores.tenants.insertTenant(TENANT),
      ]);
      while (turns < 20) await new Promise((resolve) => setTimeout(resolve, 1));
      giveBack();

      await written;
      clearInterval(turning);
      expect((await stores.auditLog.find('req_1'))!.state).toBe('open');
      await stores.close();
    });

    it('is given up when another one holds it for longer, and found again soon after', async () => {
      const stores = await openSqliteStores(path);
      const giveBack = takeWriteLock(path);

      await expect(stores.interactions.open(opening('req_1'))).rejects.toBeInstanceOf(StoreUnavailable);
      const againMs = performance.now();
      await expect(stores.interactions.open(opening('req_1'))).rejects.toBeInstanceOf(StoreUnavailable);
      // The first one waited for the whole patience.
      expect(performance.now() - againMs).toBeLessThan(1_000);
      giveBack();

      await stores.interactions.open(opening('req_1'));
      await stores.close();
    });

    it('refuses a start while another process holds it, with a message', async () => {
      const holder = await openSqliteDatabase(path);
      holder.connection.exec('begin immediate');

      const starting = openSqliteDatabase(path, { patienceMs: 0 });

      await expect(starting).rejects.toThrow(/gateway\.db is locked by another process/);
      holder.connection.exec('rollback');
      await holder.close();
    });
  });
});
