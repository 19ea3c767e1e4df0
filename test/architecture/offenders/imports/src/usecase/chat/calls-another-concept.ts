// offends: usecase-no-other-concept
import { queryAudit } from '../audit/query-audit';

export const offence = queryAudit;
