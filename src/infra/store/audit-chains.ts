import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ChainEntry, ChainHead } from '../../domain/audit/hash-chain';
import type { Anchor, AuditChains, StoredChain, Strays } from '../../usecase/port/audit-chains';
import { UNCHAINED, anchorOf } from './anchor';
import { genesisOf, headOf } from './audit-chain-row';
import { chainEntries } from './chain-entries';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';
import { misplacedEntry } from './misplaced-entry';

export class SqlAuditChains implements AuditChains {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  chains(): Promise<readonly StoredChain[]> {
    return guarded(async () => {
      const rows = await this.db
        .selectFrom('audit_chains')
        .selectAll()
        .orderBy('opened_at')
        .orderBy('writer')
        .execute();
      return rows.map((row) => ({
        genesis: genesisOf(row),
        genesisHash: row.genesis_hash,
        head: headOf(row),
      }));
    });
  }

  headOf(writer: string): Promise<ChainHead | undefined> {
    return guarded(async () => {
      const row = await this.db
        .selectFrom('audit_chains')
        .select(['writer', 'last_sequence', 'last_hash'])
        .where('writer', '=', writer)
        .executeTakeFirst();
      return row === undefined ? undefined : headOf(row);
    });
  }

  anchorOf(writer: string): Promise<Anchor | null> {
    return guarded(() => anchorOf(this.db, writer));
  }

  entries(writer: string, afterSequence: number, limit: number): Promise<readonly ChainEntry[]> {
    return guarded(async () => {
      // The embedded store answers without leaving the event loop, so others get their turn here.
      await nextTurn();
      return chainEntries(this.db, { writer, afterSequence, limit });
    });
  }

  strays(): Promise<Strays> {
    return guarded(async () => {
      return { ...(await this.unchained()), ...(await misplacedEntry(this.db)) };
    });
  }

  private async unchained(): Promise<Pick<Strays, 'unchained' | 'expectedUnchained' | 'newestUnchained'>> {
    const { db } = this;
    const closed = db
      .selectFrom('interactions')
      .where('writer', 'is', null)
      .where('closed_at', 'is not', null);
    const counts = await closed
      .select(['tenant', (select) => select.fn.countAll<number>().as('records')])
      .groupBy('tenant')
      .execute();
    const newest = await closed
      .select(['request_id', 'tenant'])
      .orderBy('closed_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const baseline = await db.selectFrom('audit_baseline').select('unchained').executeTakeFirst();
    const purged = await anchorOf(db, UNCHAINED);
    return {
      unchained: counts.map(({ tenant, records }) => ({ tenant, records: Number(records) })),
      expectedUnchained: (baseline?.unchained ?? 0) - (purged?.records ?? 0),
      newestUnchained: newest === undefined ? null : { requestId: newest.request_id, tenant: newest.tenant },
    };
  }
}
