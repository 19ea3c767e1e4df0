import type { Kysely } from 'kysely';
import type { ConfigurationChangeRow, StoreSchema } from './schema';

/** Which entries to read: those with these ids (few enough to be parameters of one query), or every one. */
export type Ids = readonly string[] | 'all';

/** Reads stored configuration. */
export class ConfigurationRows {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  /** The number of the last change; 0: there was none. */
  async lastSequence(): Promise<number> {
    const row = await this.db.selectFrom('configuration_sequence').select('last').executeTakeFirst();
    return row?.last ?? 0;
  }

  changesAfter(sequence: number, limit: number): Promise<readonly ConfigurationChangeRow[]> {
    return this.db
      .selectFrom('configuration_changes')
      .selectAll()
      .where('sequence', '>', sequence)
      .orderBy('sequence')
      .limit(limit)
      .execute();
  }

  tenants(ids: Ids) {
    const query = this.db.selectFrom('tenants').selectAll().orderBy('created_at').orderBy('id');
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  apiKeys(ids: Ids) {
    const query = this.db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  providers(ids: Ids) {
    const query = this.db.selectFrom('providers').selectAll();
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  channels(ids: Ids) {
    const query = this.db.selectFrom('channels').selectAll();
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  models(ids: Ids) {
    const query = this.db.selectFrom('models').selectAll();
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  offerings(ids: Ids) {
    const query = this.db.selectFrom('offerings').selectAll();
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  offeringChecks(ids: Ids) {
    const query = this.db.selectFrom('offering_checks').selectAll();
    return (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
  }

  /** The current versions, of these tenants or of all. */
  currentPolicies(tenants: Ids) {
    const query = this.db
      .selectFrom('routing_policies as current')
      .innerJoin('routing_policy_versions as written', (join) =>
        join
          .onRef('written.tenant', '=', 'current.tenant')
          .onRef('written.name', '=', 'current.name')
          .onRef('written.version', '=', 'current.version'),
      )
      .selectAll('written')
      .orderBy('current.tenant')
      .orderBy('current.name');
    return (tenants === 'all' ? query : query.where('current.tenant', 'in', tenants)).execute();
  }
}
