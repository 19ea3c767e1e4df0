import type { Kysely, Transaction } from 'kysely';
import type { TenantId } from '../../domain/kernel/ids';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { PolicyStore } from '../../usecase/port/policy-store';
import type { ConfigurationWriter } from './configuration-writer';
import { policyVersionOf, policyVersionRowOf } from './policy-row';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export class SqlPolicyStore implements PolicyStore {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly writer: ConfigurationWriter,
  ) {}

  append(version: PolicyVersion): Promise<'stored' | 'conflict'> {
    return this.writer.write({ concept: 'policies', id: version.tenant }, async (transaction) => {
      const newest = await newestVersion(transaction, version.tenant, version.name);
      if (version.version !== newest + 1) return 'conflict';
      await transaction.insertInto('routing_policy_versions').values(policyVersionRowOf(version)).execute();
      await transaction
        .insertInto('routing_policies')
        .values({ tenant: version.tenant, name: version.name, version: version.version })
        .onConflict((conflict) =>
          conflict.columns(['tenant', 'name']).doUpdateSet({ version: version.version }),
        )
        .execute();
      return 'stored';
    });
  }

  versions(tenant: TenantId, name: string): Promise<readonly PolicyVersion[]> {
    return guarded(async () => {
      const rows = await this.db
        .selectFrom('routing_policy_versions')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('name', '=', name)
        .orderBy('version', 'desc')
        .execute();
      return rows.map(policyVersionOf);
    });
  }

  remove(tenant: TenantId, name: string, expectedVersion: number): Promise<'removed' | 'conflict'> {
    return this.writer.write({ concept: 'policies', id: tenant }, async (transaction) => {
      const deleted = await transaction
        .deleteFrom('routing_policies')
        .where('tenant', '=', tenant)
        .where('name', '=', name)
        .where('version', '=', expectedVersion)
        .executeTakeFirstOrThrow();
      return deleted.numDeletedRows > 0n ? 'removed' : 'conflict';
    });
  }
}

/** The highest version ever written, also if the policy was removed since; 0: none. */
async function newestVersion(
  transaction: Transaction<StoreSchema>,
  tenant: TenantId,
  name: string,
): Promise<number> {
  const row = await transaction
    .selectFrom('routing_policy_versions')
    .select('version')
    .where('tenant', '=', tenant)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
}
