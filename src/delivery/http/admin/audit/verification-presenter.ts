import type { ChainBreak } from '../../../../domain/audit/chain-break';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { AuditVerification } from '../../../../usecase/audit/verify-audit';
import type { ChainReport } from '../../../../usecase/audit/chain-walk';
import { rfc3339 } from '../instant';

/** For an operator: every chain, and the first break of each. */
export function presentVerification({ chains, unchainedOf, breaks }: AuditVerification): JsonObject {
  return {
    intact: breaks.length === 0,
    verified: sum(chains.map(({ verified }) => verified)),
    purged: sum(chains.map(({ purged }) => purged)),
    unchained: sum([...unchainedOf.values()]),
    first_break: breaks[0] === undefined ? null : presentBreak(breaks[0]),
    breaks: breaks.map(presentBreak),
    chains: chains.map(presentChain),
  };
}

/**
 * For a tenant: whether the whole log is intact, since a record of its own may be what is missing, and what is wrong with
 * its own records. Of others' it learns no id, count or place.
 */
export function presentOwnVerification(
  { verifiedOf, unchainedOf, breaks }: AuditVerification,
  tenant: TenantId,
): JsonObject {
  const own = breaks.filter((found) => found.record?.tenant === tenant);
  return {
    intact: breaks.length === 0,
    verified: verifiedOf.get(tenant) ?? 0,
    unchained: unchainedOf.get(tenant) ?? 0,
    first_break: own[0] === undefined ? null : presentBreak(own[0]),
    breaks: own.map(presentBreak),
    broken_elsewhere: own.length < breaks.length,
  };
}

function presentChain(report: ChainReport): JsonObject {
  return {
    writer: report.writer,
    opened_at: rfc3339(report.openedAtMs),
    verified: report.verified,
    purged: report.purged,
    head: { sequence: report.head.sequence, hash: report.head.hash },
    break: report.break === null ? null : presentBreak(report.break),
  };
}

function presentBreak({ what, writer, sequence, record }: ChainBreak): JsonObject {
  return {
    what,
    writer,
    sequence,
    record: record === null ? null : { kind: record.kind, id: record.id, tenant: record.tenant },
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
