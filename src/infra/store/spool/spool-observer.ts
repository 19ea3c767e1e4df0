/** Whoever tells operators of the spool. */
export interface SpoolObserver {
  /** Closing records that lie in the spool now, counted anew. */
  depth(closings: number): void;
  /** Some more were kept there, for that reason. */
  kept(closings: number, cause: unknown): void;
  /** Some were written to the store and removed. */
  written(closings: number): void;
}
