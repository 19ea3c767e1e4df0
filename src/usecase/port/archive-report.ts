import type { RequestId } from '../../domain/kernel/ids';

/** Tells operators how the archive fares: it may lose what it was to keep, and must not do so in silence. */
export interface ArchiveReport {
  stored(count: number): void;
  /** The tenant has switched its archive off since these interactions began. */
  unwanted(count: number): void;
  /** `overloaded`: too much is waiting for the store already. `store_failed`: it didn't take them. */
  lost(requestIds: readonly RequestId[], reason: 'overloaded' | 'store_failed', cause: unknown): void;
  /** An entry can't be decrypted: it was changed, or the secret key was. */
  unreadable(requestId: RequestId): void;
}
