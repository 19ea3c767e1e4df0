// offends: usecase-no-other-concept
import type { queryAudit } from '../audit/query-audit';

export type Offence = typeof queryAudit;
