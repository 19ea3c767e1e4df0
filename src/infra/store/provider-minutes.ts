import type { Kysely, Transaction } from 'kysely';
import type { ProviderMinute } from '../../domain/health/observed-success';
import type { ProviderMinutes } from '../../usecase/port/provider-minutes';
import { minuteOfRow, minuteRowOf, type ProviderMinuteRow } from './provider-minute-row';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export class SqlProviderMinutes implements ProviderMinutes {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  add(minutes: readonly ProviderMinute[], forgetBeforeMs: number): Promise<void> {
    return guarded(() =>
      this.db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('provider_minutes').where('minute', '<', forgetBeforeMs).execute();
        // In one order in all processes, so that two of them never wait for each other's rows.
        for (const row of minutes.map(minuteRowOf).sort(byKey)) await addRow(transaction, row);
      }),
    );
  }

  since(fromMs: number): Promise<readonly ProviderMinute[]> {
    return guarded(async () => {
      const rows = await this.db
        .selectFrom('provider_minutes')
        .selectAll()
        .where('minute', '>=', fromMs)
        .execute();
      return rows.map(minuteOfRow);
    });
  }
}

async function addRow(transaction: Transaction<StoreSchema>, row: ProviderMinuteRow): Promise<void> {
  await transaction
    .insertInto('provider_minutes')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['minute', 'provider']).doUpdateSet((update) => ({
        answered: update('provider_minutes.answered', '+', row.answered),
        failed: update('provider_minutes.failed', '+', row.failed),
      })),
    )
    .execute();
}

function byKey(a: ProviderMinuteRow, b: ProviderMinuteRow): number {
  return a.minute - b.minute || (a.provider < b.provider ? -1 : 1);
}
