import type { InsertResult, Transaction, UpdateResult } from 'kysely';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';
import type { TenantStore } from '../../usecase/port/tenant-store';
import { apiKeyRowOf } from './api-key-row';
import type { ConfigurationWriter } from './configuration-writer';
import type { StoreSchema } from './schema';
import { tenantRowOf } from './tenant-row';

export class SqlTenantStore implements TenantStore {
  constructor(private readonly writer: ConfigurationWriter) {}

  insertTenant(tenant: Tenant): Promise<'stored' | 'conflict'> {
    return this.writer.write({ concept: 'tenant', id: tenant.id }, async (transaction) => {
      const inserted = await transaction
        .insertInto('tenants')
        .values(tenantRowOf(tenant))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return stored(inserted) ? 'stored' : 'conflict';
    });
  }

  updateTenant(tenant: Tenant): Promise<void> {
    return this.writer.write({ concept: 'tenant', id: tenant.id }, async (transaction) => {
      const { name, features, eligibility, groups } = tenantRowOf(tenant);
      const updated = await transaction
        .updateTable('tenants')
        .set({ name, features, eligibility, groups })
        .where('id', '=', tenant.id)
        .executeTakeFirstOrThrow();
      mustHaveUpdated(updated, `tenant ${tenant.id}`);
    });
  }

  insertKey(key: ApiKey): Promise<void> {
    return this.writer.write({ concept: 'api_key', id: key.id }, async (transaction) => {
      await transaction.insertInto('api_keys').values(apiKeyRowOf(key)).execute();
    });
  }

  updateKey(key: ApiKey): Promise<void> {
    return this.writer.write({ concept: 'api_key', id: key.id }, (transaction) =>
      replaceKey(transaction, key),
    );
  }
}

async function replaceKey(transaction: Transaction<StoreSchema>, key: ApiKey): Promise<void> {
  const { name, scopes, groups, group_strategy, rpm, expires_at, revoked_at } = apiKeyRowOf(key);
  const updated = await transaction
    .updateTable('api_keys')
    .set({ name, scopes, groups, group_strategy, rpm, expires_at, revoked_at })
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow();
  mustHaveUpdated(updated, `key ${key.id}`);
}

function stored(result: InsertResult): boolean {
  return result.numInsertedOrUpdatedRows !== undefined && result.numInsertedOrUpdatedRows > 0n;
}

/** To change what isn't there is a defect of the caller; silence would lose a revocation. */
function mustHaveUpdated(result: UpdateResult, what: string): void {
  if (result.numUpdatedRows === 0n) throw new Error(`There is no ${what} to update.`);
}
