/** Deletes what audit retention no longer keeps. Rejects with `StoreUnavailable`. */
export interface AuditRetention {
  /** Chains that may hold something old enough, those without a chain included as `unchained`. */
  candidates(closedBeforeMs: number): Promise<readonly string[]>;
  /**
   * Deletes closed entries from the start of one chain, as long as each was closed before that instant, at most `limit`
   * (1 to 1000), and leaves an anchor for them in the same transaction. Open interactions are in no chain, so they stay.
   * Returns how many it went past, anchors included, which stay; 0: nothing is left to delete.
   */
  purge(writer: string, order: PurgeOrder): Promise<number>;
}

export type PurgeOrder = Readonly<{
  closedBeforeMs: number;
  limit: number;
  /** The rule by which it is deleted, for the auditor, e.g. `retention 90 days`. */
  rule: string;
}>;
