import type { ChainBreak } from '../../domain/audit/chain-break';
import type { ChainHead, HashText } from '../../domain/audit/hash-chain';
import type { TenantId } from '../../domain/kernel/ids';
import type { AuditChains, StoredChain } from '../port/audit-chains';
import { ChainWalk, type ChainReport } from './chain-walk';

/** What verification found in the whole log. */
export type AuditVerification = Readonly<{
  chains: readonly ChainReport[];
  /** Verified records of each tenant. */
  verifiedOf: ReadonlyMap<TenantId, number>;
  /** Closed records without a chain, by tenant: closed before there were chains. */
  unchainedOf: ReadonlyMap<TenantId, number>;
  /** The first of each chain, in the order of the chains, and then what stands in none. Empty: the log is intact. */
  breaks: readonly ChainBreak[];
}>;

export type VerifyAuditDeps = Readonly<{ chains: AuditChains; hash: HashText }>;

/** Walks all hash chains and names the first break of each (DESIGN §7). */
export class VerifyAudit {
  private running: Promise<AuditVerification> | null = null;

  constructor(private readonly deps: VerifyAuditDeps) {}

  /** Who asks while a walk is under way gets its result: asking often must not cost much. */
  execute(): Promise<AuditVerification> {
    this.running ??= this.verify().finally(() => (this.running = null));
    return this.running;
  }

  private async verify(): Promise<AuditVerification> {
    const { chains, hash } = this.deps;
    const verifiedOf = new Map<TenantId, number>();
    const stored = await chains.chains();
    const reports: ChainReport[] = [];
    for (const chain of stored) {
      const walk = new ChainWalk(
        {
          chains,
          hash,
          onVerified: ({ kind, tenant }) => {
            if (kind !== 'interaction' || tenant === null) return;
            verifiedOf.set(tenant, (verifiedOf.get(tenant) ?? 0) + 1);
          },
        },
        chain,
        endsNamed(stored, chain.genesis.writer),
      );
      reports.push(await walk.walk());
    }
    const { unchainedOf, breaks } = await this.strays();
    const found = reports.flatMap((report) => (report.break === null ? [] : [report.break]));
    return {
      chains: reports,
      verifiedOf,
      unchainedOf,
      breaks: [...found, ...vanished(stored), ...breaks],
    };
  }

  private async strays(): Promise<Pick<AuditVerification, 'unchainedOf' | 'breaks'>> {
    const { unchained, expectedUnchained, newestUnchained, misplaced, misplacedWriter } =
      await this.deps.chains.strays();
    const breaks: ChainBreak[] = [];
    if (misplaced !== null) {
      const { kind, id, tenant, sequence } = misplaced;
      breaks.push({ what: 'inserted', writer: misplacedWriter, sequence, record: { kind, id, tenant } });
    }
    const count = unchained.reduce((sum, { records }) => sum + records, 0);
    const newest = newestUnchained;
    const named =
      newest === null ? null : { kind: 'interaction' as const, id: newest.requestId, tenant: newest.tenant };
    if (count > expectedUnchained) {
      breaks.push({ what: 'inserted', writer: null, sequence: null, record: named });
    }
    if (count < expectedUnchained) {
      breaks.push({ what: 'missing', writer: null, sequence: null, record: null });
    }
    return { unchainedOf: new Map(unchained.map(({ tenant, records }) => [tenant, records])), breaks };
  }
}

function endsNamed(chains: readonly StoredChain[], writer: string): readonly ChainHead[] {
  return chains.flatMap(({ genesis: { previous } }) => (previous?.writer === writer ? [previous] : []));
}

/** Chains that a later one names, and that are gone altogether. */
function vanished(chains: readonly StoredChain[]): readonly ChainBreak[] {
  const present = new Set(chains.map(({ genesis }) => genesis.writer));
  return chains.flatMap(({ genesis: { previous } }) =>
    previous === null || present.has(previous.writer)
      ? []
      : [{ what: 'missing' as const, writer: previous.writer, sequence: 0, record: null }],
  );
}
