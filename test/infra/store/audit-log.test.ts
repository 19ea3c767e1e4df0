import { auditLogContract } from '../../contract/audit-log-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('audit log', auditLogContract);
