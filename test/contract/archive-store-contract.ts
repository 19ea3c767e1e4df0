import type { ArchiveTerm } from '../../src/domain/archive/archive-term';
import type { ArchiveEntry } from '../../src/usecase/port/archive-store';
import { TENANT } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

const HOUR_MS = 3_600_000;
const TERM: ArchiveTerm = { untilMs: 10 * HOUR_MS, retentionHours: 24, include: ['request', 'answer'] };

const entry = (number: number, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  requestId: `req_${number}`,
  tenant: 'ten_1',
  archivedAtMs: number,
  expiresAtMs: number + 24 * HOUR_MS,
  sealed: `sealed ${number}`,
  ...more,
});

export function archiveStoreContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
    await stores.tenants.insertTenant(TENANT);
    await stores.tenants.insertTenant({ ...TENANT, id: 'ten_2', name: 'Other' });
  });
  afterEach(() => stores.close());

  const ids = async (tenant = 'ten_1', nowMs = 100): Promise<string[]> => {
    const { entries } = await stores.archive.list(tenant, { after: null, limit: 50, nowMs });
    return entries.map(({ requestId }) => requestId);
  };
  const changesOf = async (objectKind: 'tenant' | 'archive_entry') => {
    const filter = { tenant: 'ten_1', objectKind };
    const { changes } = await stores.changeLog.page(filter, { after: null, limit: 50 });
    return changes.map(({ by, object, action, fields }) => ({
      by,
      id: object.id,
      action,
      fields: fields.map(({ field, values }) => [field, values?.from, values?.to]),
    }));
  };

  describe('a term', () => {
    it('is in the configuration and on record when it is switched on, and when it is switched off', async () => {
      await stores.author.actAs('key_1', () => stores.archive.switchOn('ten_1', TERM));
      expect(stores.configuration.tenant('ten_1')).toEqual({ ...TENANT, archive: TERM });

      await stores.author.actAs('key_2', () => stores.archive.switchOff('ten_1'));
      expect(stores.configuration.tenant('ten_1')).toEqual(TENANT);
      const whole = Object.entries(TERM);
      const off = whole.map(([field, value]) => [`archive.${field}`, value, null]);
      const on = whole.map(([field, value]) => [`archive.${field}`, null, value]);
      expect((await changesOf('tenant')).slice(0, 2)).toEqual([
        { by: 'key_2', id: 'ten_1', action: 'updated', fields: expect.arrayContaining(off) },
        { by: 'key_1', id: 'ten_1', action: 'updated', fields: expect.arrayContaining(on) },
      ]);
    });

    it('outlives another change of its tenant', async () => {
      await stores.archive.switchOn('ten_1', TERM);

      await stores.tenants.updateTenant({ ...TENANT, name: 'Acme Europe' });

      expect(stores.configuration.tenant('ten_1')?.archive).toEqual(TERM);
    });

    it('that keeps for a shorter time shortens what is kept, and one that keeps longer lengthens nothing', async () => {
      await stores.archive.switchOn('ten_1', TERM);
      await stores.archive.add([entry(1), entry(2, { expiresAtMs: 50 })]);

      await stores.archive.switchOn('ten_1', { ...TERM, retentionHours: 1 });
      expect(await ids('ten_1', HOUR_MS)).toEqual(['req_1']);
      expect(await ids('ten_1', HOUR_MS + 1)).toEqual([]);

      await stores.archive.switchOn('ten_1', { ...TERM, retentionHours: 72 });
      expect(await ids('ten_1', HOUR_MS + 1)).toEqual([]);
    });
  });

  describe('entries', () => {
    it('are added for tenants that have a term, and for no other', async () => {
      await stores.archive.switchOn('ten_1', TERM);

      expect(await stores.archive.add([entry(1), entry(2, { tenant: 'ten_2' })])).toBe(1);

      expect(await ids('ten_1')).toEqual(['req_1']);
      expect(await ids('ten_2')).toEqual([]);
    });

    it('are listed newest first, page by page, without what they hold', async () => {
      await stores.archive.switchOn('ten_1', TERM);
      await stores.archive.add([entry(1), entry(3), entry(2)]);

      const first = await stores.archive.list('ten_1', { after: null, limit: 2, nowMs: 100 });
      const second = await stores.archive.list('ten_1', { after: first.next, limit: 2, nowMs: 100 });

      const shown = ({ sealed: _sealed, tenant: _tenant, ...ref }: ArchiveEntry) => ref;
      expect(first).toEqual({ entries: [shown(entry(3)), shown(entry(2))], next: 'req_2' });
      expect(second).toEqual({ entries: [shown(entry(1))], next: null });
    });

    it('are destroyed when the archive is switched off, and those of other tenants are not', async () => {
      await stores.archive.switchOn('ten_1', TERM);
      await stores.archive.switchOn('ten_2', TERM);
      await stores.archive.add([entry(1), entry(2, { tenant: 'ten_2' })]);

      await stores.archive.switchOff('ten_1');

      expect(await stores.archive.add([entry(3)])).toBe(0);
      expect(await stores.archive.open('ten_1', 'req_1', 100)).toBeUndefined();
      expect(await ids('ten_2')).toEqual(['req_2']);
    });

    it('are gone the moment they expire, and purged so many at a time', async () => {
      await stores.archive.switchOn('ten_1', TERM);
      await stores.archive.add([1, 2, 3].map((number) => entry(number, { expiresAtMs: 40 + number })));

      expect(await ids('ten_1', 41)).toEqual(['req_3', 'req_2']);
      expect(await stores.archive.open('ten_1', 'req_1', 41)).toBeUndefined();
      expect(await stores.archive.purge(42, 1)).toBe(1);
      expect(await stores.archive.purge(42, 5)).toBe(1);
      expect(await stores.archive.purge(42, 5)).toBe(0);
      expect(await ids('ten_1', 0)).toEqual(['req_3']);
    });
  });

  describe('reading', () => {
    beforeEach(async () => {
      await stores.archive.switchOn('ten_1', TERM);
      await stores.archive.add([entry(1)]);
    });

    it('is on record', async () => {
      const opened = await stores.author.actAs('key_7', () => stores.archive.open('ten_1', 'req_1', 100));

      expect(opened).toEqual(entry(1));
      expect(await changesOf('archive_entry')).toEqual([
        { by: 'key_7', id: 'req_1', action: 'read', fields: [] },
      ]);
    });

    it.each([
      ['another tenant’s', 'ten_2', 'req_1'],
      ['what is not there', 'ten_1', 'req_9'],
    ])('%s is nothing, and not on record', async (_, tenant, requestId) => {
      expect(await stores.archive.open(tenant, requestId, 100)).toBeUndefined();

      expect(await changesOf('archive_entry')).toEqual([]);
    });
  });
}
