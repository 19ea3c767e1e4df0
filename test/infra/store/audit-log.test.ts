import { auditLogContract } from '../../contract/audit-log-contract';
import { DATABASES } from '../../support/store/sqlite-stores';

describe.each(DATABASES)('audit log on %s', (_, openStores) => {
  auditLogContract(openStores);
});
