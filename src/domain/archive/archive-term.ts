import type { Problem } from '../error/gateway-error';

/** What of an interaction can be archived: the body as its caller sent it, and what he was answered. */
export const ARCHIVED_PARTS = ['request', 'answer'] as const;
export type ArchivedPart = (typeof ARCHIVED_PARTS)[number];

/** A tenant's consent to an archive of its prompts and answers: for a limited time, and each kept for a limited time. */
export type ArchiveTerm = Readonly<{
  /** From then on nothing more is archived. */
  untilMs: number;
  retentionHours: number;
  include: readonly ArchivedPart[];
}>;

/** Long enough to find a fault that shows once a week; an archive that nobody remembers is a leak to come. */
const MAX_TERM_DAYS = 7;
/** Over a weekend. */
export const MAX_RETENTION_HOURS = 72;
export const DEFAULT_RETENTION_HOURS = 24;

const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;

/** What is wrong with a term that would begin now. */
export function termProblems({ untilMs, retentionHours, include }: ArchiveTerm, nowMs: number): Problem[] {
  const problems: Problem[] = [];
  if (untilMs <= nowMs) problems.push({ field: 'until', message: 'must lie in the future' });
  if (untilMs > nowMs + MAX_TERM_DAYS * MS_PER_DAY) {
    problems.push({ field: 'until', message: `must be within ${MAX_TERM_DAYS} days from now` });
  }
  if (!Number.isInteger(retentionHours) || retentionHours < 1 || retentionHours > MAX_RETENTION_HOURS) {
    const message = `must be a whole number from 1 to ${MAX_RETENTION_HOURS}`;
    problems.push({ field: 'retention_hours', message });
  }
  if (include.length === 0) problems.push({ field: 'include', message: 'must name a part to archive' });
  return problems;
}

/** By which an interaction that begins now is archived; null: it isn't. */
export function termInForce(
  { archive }: Readonly<{ archive?: ArchiveTerm }>,
  nowMs: number,
): ArchiveTerm | null {
  return archive !== undefined && nowMs < archive.untilMs ? archive : null;
}

export function retentionMsOf({ retentionHours }: ArchiveTerm): number {
  return retentionHours * MS_PER_HOUR;
}
