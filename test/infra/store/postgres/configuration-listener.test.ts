import { ConfigurationListener } from '../../../../src/infra/store/postgres/configuration-listener';
import { eventually } from '../../../support/eventually';
import { describeOnPostgres, TestDatabase } from '../../../support/postgres/test-database';
import { TENANT } from '../../../support/store/sample-records';
import { storesOn } from '../../../support/store/sqlite-stores';

describeOnPostgres('the listener for changes of the configuration', () => {
  let database: TestDatabase;
  let listener: ConfigurationListener;
  let told: number;
  let lost: unknown[];
  beforeEach(async () => {
    database = await TestDatabase.create();
    told = 0;
    lost = [];
    listener = new ConfigurationListener({
      url: database.url,
      onChange: () => (told += 1),
      onLost: (error) => lost.push(error),
    });
  });
  afterEach(async () => {
    await listener.stop();
    await database.drop();
  });

  const listening = (times: number) => eventually(() => expect(told).toBe(times));

  it('hurries whoever reads as soon as it listens, since what was told before was told to nobody', async () => {
    listener.start();

    await listening(1);
  });

  it('hears of a change when it is committed, and not of one that is rolled back', async () => {
    listener.start();
    await listening(1);
    const stores = await storesOn(await database.open());

    await stores.tenants.insertTenant(TENANT);
    await listening(2);
    await expect(stores.tenants.updateTenant({ ...TENANT, id: 'ten_none' })).rejects.toThrow();
    await stores.tenants.updateTenant({ ...TENANT, name: 'Renamed' });

    await listening(3);
    await stores.close();
  });

  it('listens again after its connection was lost, and has everything read anew', async () => {
    listener.start();
    await listening(1);

    await database.cutConnections('schneeai-gateway-listener');

    await listening(2);
    expect(lost).toHaveLength(1);
    await database.query('notify schneeai_configuration');
    await listening(3);
  });

  it('tries again and again while it gets no connection', async () => {
    await database.onServer(`alter database "${database.name}" with allow_connections false`);
    listener.start();
    await eventually(() => expect(lost.length).toBeGreaterThanOrEqual(2));

    await database.onServer(`alter database "${database.name}" with allow_connections true`);

    await listening(1);
  });

  it('is silent once it is stopped', async () => {
    listener.start();
    await listening(1);

    await listener.stop();
    await database.query('notify schneeai_configuration');

    const { rows } = await database.query(
      "select 1 from pg_stat_activity where application_name = 'schneeai-gateway-listener' and datname = current_database()",
    );
    expect({ told, lost, rows }).toEqual({ told: 1, lost: [], rows: [] });
  });
});
