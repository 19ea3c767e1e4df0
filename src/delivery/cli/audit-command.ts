import type { ChainBreak } from '../../domain/audit/chain-break';
import type { ChainReport } from '../../usecase/audit/chain-walk';
import type { AuditVerification } from '../../usecase/audit/verify-audit';
import type { CommandOutcome } from './command-outcome';

export const AUDIT_USAGE = `schneeai audit verify

Walks the hash chains of the audit log and names the first break (docs/audit.md).
Changes nothing. Exit codes: 0 intact, 1 broken, 2 called wrongly, or no store there.
`;

export type AuditCommandDeps = Readonly<{
  /** Where the store is looked for. */
  place: string;
  /** Null: there is none. */
  verify: () => Promise<AuditVerification | null>;
}>;

/** `schneeai audit verify`: also while the gateway runs. */
export async function auditCommand(
  args: readonly string[],
  { place, verify }: AuditCommandDeps,
): Promise<CommandOutcome> {
  if (args.length !== 1 || args[0] !== 'verify') return { exitCode: 2, output: AUDIT_USAGE };
  const verification = await verify();
  if (verification === null) return { exitCode: 2, output: noStoreAt(place) };
  return { exitCode: verification.breaks.length === 0 ? 0 : 1, output: reportOf(verification) };
}

/** Nothing that could be verified is no proof of anything. */
function noStoreAt(place: string): string {
  return `There is no store at ${place}. SCHNEEAI_DATA_DIR or DATABASE_URL says where it is.\n`;
}

function reportOf({ chains, unchainedOf, breaks }: AuditVerification): string {
  const unchained = [...unchainedOf.values()].reduce((sum, count) => sum + count, 0);
  const verified = chains.reduce((sum, chain) => sum + chain.verified, 0);
  const [first] = breaks;
  return [
    ...chains.map(chainLine),
    `${chains.length} chains, ${verified} entries verified, ${unchained} records from before the chains`,
    first === undefined ? 'intact' : `BROKEN: ${breakText(first)}`,
    ...breaks.slice(1).map((found) => `also: ${breakText(found)}`),
    '',
  ].join('\n');
}

function chainLine({ writer, openedAtMs, verified, purged, head }: ChainReport): string {
  const opened = new Date(openedAtMs).toISOString();
  return `${writer}  opened ${opened}  ${verified} verified  ${purged} purged  ends at ${head.sequence} ${head.hash}`;
}

function breakText({ what, writer, sequence, record }: ChainBreak): string {
  const place =
    writer === null ? 'outside of any chain' : `at sequence ${sequence ?? 'none'} of writer ${writer}`;
  return `${what} ${place}${record === null ? '' : `: ${record.kind} ${record.id}`}`;
}
