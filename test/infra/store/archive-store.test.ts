import { sql } from 'kysely';
import { openSqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { archiveStoreContract } from '../../contract/archive-store-contract';
import { onEveryDatabase } from '../../support/store/databases';
import { TENANT } from '../../support/store/sample-records';
import { storesOn } from '../../support/store/sqlite-stores';

onEveryDatabase('archive store', archiveStoreContract);

describe('an archive whose reader can not be put on record', () => {
  it('shows nothing', async () => {
    const database = await openSqliteDatabase(':memory:');
    const { archive, tenants, close } = await storesOn(database);
    await tenants.insertTenant(TENANT);
    await archive.switchOn('ten_1', { untilMs: 1_000, retentionHours: 1, include: ['request'] });
    const entry = {
      requestId: 'req_1',
      tenant: 'ten_1',
      archivedAtMs: 1,
      expiresAtMs: 1_000,
      sealed: 'sealed',
    };
    await archive.add([entry]);
    const trigger = sql`create trigger full before insert on audit_changes begin select raise(abort, 'full'); end`;
    await trigger.execute(database.kysely);

    await expect(archive.open('ten_1', 'req_1', 10)).rejects.toThrow('full');

    await sql`drop trigger full`.execute(database.kysely);
    expect(await archive.open('ten_1', 'req_1', 10)).toEqual(entry);
    await close();
  });
});
