import type { Kysely } from 'kysely';
import type { TenantId } from '../../domain/kernel/ids';
import type { IdempotencyKeys, KeptHolder } from '../../usecase/port/idempotency-keys';
import { keptHolderOf } from './idempotency-row';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export class SqlIdempotencyKeys implements IdempotencyKeys {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  holderOf(tenant: TenantId, keyHash: string): Promise<KeptHolder | null> {
    return guarded(async () => {
      const row = await this.db
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('key_hash', '=', keyHash)
        .executeTakeFirst();
      return row === undefined ? null : keptHolderOf(row);
    });
  }

  purge(claimedUntilMs: number, limit: number): Promise<number> {
    return guarded(async () => {
      const ended = this.db
        .selectFrom('idempotency_keys')
        .select('request_id')
        .where('claimed_at', '<=', claimedUntilMs)
        .where('state', '!=', 'open')
        .orderBy('claimed_at')
        .limit(limit);
      const { numDeletedRows } = await this.db
        .deleteFrom('idempotency_keys')
        .where('request_id', 'in', ended)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    });
  }
}
