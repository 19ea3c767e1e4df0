import type { AdminChange, ChangeAction, ChangedObject } from '../../domain/audit/admin-change';
import type { ApiKeyId, TenantId } from '../../domain/kernel/ids';

/** Reads changes of the configuration, newest first. Rejects with `StoreUnavailable` when the store can't be read. */
export interface ChangeLog {
  /** A page by cursor; stable while changes are added. A cursor that names no change of the filter's tenant gives an empty page. */
  page(filter: ChangeFilter, page: ChangePageRequest): Promise<ChangePage>;
}

/** All given conditions must hold. */
export type ChangeFilter = Readonly<{
  tenant?: TenantId;
  /** At or after. */
  fromMs?: number;
  /** Before. */
  toMs?: number;
  by?: ApiKeyId;
  objectKind?: ChangedObject;
  objectId?: string;
  action?: ChangeAction;
}>;

export type ChangePageRequest = Readonly<{
  /** Id of the last change of the page before; null: the first page. */
  after: string | null;
  /** 1 to 200. */
  limit: number;
}>;

export type ChangePage = Readonly<{ changes: readonly AdminChange[]; next: string | null }>;
