// offends: infra-no-other-layer
import { queryAudit } from '../../usecase/audit/query-audit';

export const offence = queryAudit;
