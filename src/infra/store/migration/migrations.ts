import type { Migration } from 'kysely/migration';
import { firstSchema } from './0001-first-schema';
import { offeringChecks } from './0002-offering-checks';
import { auditChain } from './0003-audit-chain';
import { canary } from './0004-canary';
import { wallet } from './0005-wallet';
import { idempotencyKeys } from './0006-idempotency-keys';
import { piiFindings } from './0007-pii-findings';
import { requestsPerMinute } from './0008-requests-per-minute';
import { archiveAndProviderMinutes } from './0009-archive-and-provider-minutes';
import { secretKeyMark } from './0010-secret-key-mark';
import { auditFilterIndexes } from './0011-audit-filter-indexes';
import { auditStateIndexes } from './0012-audit-state-indexes';

/** Every migration by name, oldest first. Forward only: a released one is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-schema': firstSchema,
  '0002-offering-checks': offeringChecks,
  '0003-audit-chain': auditChain,
  '0004-canary': canary,
  '0005-wallet': wallet,
  '0006-idempotency-keys': idempotencyKeys,
  '0007-pii-findings': piiFindings,
  '0008-requests-per-minute': requestsPerMinute,
  '0009-archive-and-provider-minutes': archiveAndProviderMinutes,
  '0010-secret-key-mark': secretKeyMark,
  '0011-audit-filter-indexes': auditFilterIndexes,
  '0012-audit-state-indexes': auditStateIndexes,
};
