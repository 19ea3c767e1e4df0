import { auditTrailContract } from '../../contract/audit-trail-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('audit trail on %s', (_, openStores) => {
  auditTrailContract(openStores);
});
