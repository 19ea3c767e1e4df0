import type { ApiKeyId } from '../../domain/kernel/ids';

/** Remembers on whose behalf the current call runs, so that no write can forget to say who made it. */
export interface ChangeAuthor {
  /** Runs the work, and everything that it awaits, on behalf of this key. */
  actAs<T>(by: ApiKeyId, work: () => Promise<T>): Promise<T>;
  /** The key, or `system` outside of any such work. */
  current(): ApiKeyId;
}
