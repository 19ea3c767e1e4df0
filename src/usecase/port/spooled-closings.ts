/** Closing records that were kept on disk while the store was away. */
export interface SpooledClosings {
  /** Writes all of them to the store; rejects with `StoreUnavailable` while it is still away. */
  writeAll(): Promise<void>;
}
