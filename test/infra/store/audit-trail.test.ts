import { auditTrailContract } from '../../contract/audit-trail-contract';
import { onEveryDatabase } from '../../support/store/databases';

onEveryDatabase('audit trail', auditTrailContract);
