import { AsyncLocalStorage } from 'node:async_hooks';
import { SYSTEM_AUTHOR } from '../../domain/audit/admin-change';
import type { ApiKeyId } from '../../domain/kernel/ids';
import type { ChangeAuthor } from '../../usecase/port/change-author';

/** Carries the author along with the asynchronous calls of one request. */
export class AsyncChangeAuthor implements ChangeAuthor {
  private readonly authors = new AsyncLocalStorage<ApiKeyId>();

  actAs<T>(by: ApiKeyId, work: () => Promise<T>): Promise<T> {
    return this.authors.run(by, work);
  }

  current(): ApiKeyId {
    return this.authors.getStore() ?? SYSTEM_AUTHOR;
  }
}
