import type { ArchiveTerm } from '../../domain/archive/archive-term';
import type { RequestId, TenantId } from '../../domain/kernel/ids';

/** Where archives are kept, sealed. What is written is durable when its promise resolves. */
export interface ArchiveStore {
  /** Begins or changes a tenant's term, as a chained change. What is kept already is kept no longer than the term allows. */
  switchOn(tenant: TenantId, term: ArchiveTerm): Promise<void>;
  /** Ends the term, as a chained change, and destroys all that is kept of the tenant in the same transaction. */
  switchOff(tenant: TenantId): Promise<void>;
  /** Adds what belongs to tenants that have a term at this moment, and returns how many that were. */
  add(entries: readonly ArchiveEntry[]): Promise<number>;
  /** What is kept of a tenant and hasn't expired, newest first. */
  list(tenant: TenantId, page: ArchivePageRequest): Promise<ArchivePage>;
  /**
   * Hands out an entry on record: who reads it when is a chained change that is durable before this resolves. Undefined:
   * there is no such entry, and nothing is recorded. Rejects, and hands out nothing, if it can't be recorded.
   */
  open(tenant: TenantId, requestId: RequestId, nowMs: number): Promise<ArchiveEntry | undefined>;
  /** Deletes what has expired, at most `limit` entries, and returns how many. */
  purge(nowMs: number, limit: number): Promise<number>;
}

export type ArchiveEntryRef = Readonly<{
  requestId: RequestId;
  archivedAtMs: number;
  /** From then on nobody reads it any more. */
  expiresAtMs: number;
}>;

export type ArchiveEntry = ArchiveEntryRef & Readonly<{ tenant: TenantId; sealed: string }>;

/** `after`: the last request id of the page before; null: the first page. */
export type ArchivePageRequest = Readonly<{ after: RequestId | null; limit: number; nowMs: number }>;

/** `next`: what the next page comes after; null: this is the last one. */
export type ArchivePage = Readonly<{ entries: readonly ArchiveEntryRef[]; next: RequestId | null }>;
