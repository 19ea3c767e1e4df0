import type { AdminChange } from '../../src/domain/audit/admin-change';
import type { AuditChains, StoredChain, Strays } from '../../src/usecase/port/audit-chains';
import type { ChangeFilter, ChangeLog, ChangePage } from '../../src/usecase/port/change-log';
import type { UsageQuery, UsageReports, UsageRow } from '../../src/usecase/port/usage-reports';

/** What stands beside the audit records: changes and usage as a test puts them there, and no chains. */
export class InMemoryAuditTrail implements AuditChains, ChangeLog, UsageReports {
  readonly changes: AdminChange[] = [];
  readonly rows: UsageRow[] = [];
  readonly asked: UsageQuery[] = [];
  strayed: Strays = {
    unchained: [],
    expectedUnchained: 0,
    newestUnchained: null,
    misplaced: null,
    misplacedWriter: null,
  };

  async chains(): Promise<readonly StoredChain[]> {
    return [];
  }

  async headOf(): Promise<undefined> {
    return undefined;
  }

  async anchorOf(): Promise<null> {
    return null;
  }

  async entries(): Promise<readonly never[]> {
    return [];
  }

  async strays(): Promise<Strays> {
    return this.strayed;
  }

  async page(filter: ChangeFilter): Promise<ChangePage> {
    const changes = this.changes.filter(
      ({ tenant }) => filter.tenant === undefined || tenant === filter.tenant,
    );
    return { changes, next: null };
  }

  async usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    this.asked.push(query);
    return this.rows;
  }
}
