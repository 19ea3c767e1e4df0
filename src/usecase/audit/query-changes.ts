import type { ApiKey } from '../../domain/tenant/api-key';
import { hasScope } from '../../domain/tenant/api-key';
import type { ChangeFilter, ChangeLog, ChangePage, ChangePageRequest } from '../port/change-log';

const NOTHING: ChangePage = { changes: [], next: null };

/** Changes of the configuration as far as the reader may see them: a tenant's key its own, an operator's key all. */
export class QueryChanges {
  constructor(private readonly log: ChangeLog) {}

  async page(filter: ChangeFilter, page: ChangePageRequest, reader: ApiKey): Promise<ChangePage> {
    const { tenantId } = reader;
    if (tenantId === null) return hasScope(reader, 'operator') ? this.log.page(filter, page) : NOTHING;
    if (filter.tenant !== undefined && filter.tenant !== tenantId) return NOTHING;
    return this.log.page({ ...filter, tenant: tenantId }, page);
  }
}
