import type { InteractionState } from '../../domain/interaction/interaction';
import type { AuditFilter } from '../../usecase/port/audit-log';

/** Every record of a stretch holds what these ask for: the stretch is theirs. */
const STRETCH: readonly string[] = ['tenant', 'fromMs', 'toMs'] satisfies (keyof AuditFilter)[];

/** Whether an index leads to all that are asked for, in their order. */
export function isFoundByIndex(filter: AuditFilter): boolean {
  if (hasIndexOfItsOwn(filter)) return true;
  const { state, attempt = {}, ...others } = filter;
  const unindexed = { ...others, ...attempt, state: isIndexed(state) ? undefined : state };
  return Object.entries(unindexed).every(
    ([field, wanted]) => wanted === undefined || STRETCH.includes(field),
  );
}

/** What few records hold has an index that leads to them, and the rest of the filter is looked at in those (migrations 0003 and 0011). */
export function hasIndexOfItsOwn({ errorCode, parentRequestId, fallback }: AuditFilter): boolean {
  return errorCode !== undefined || parentRequestId !== undefined || fallback === true;
}

/** What is open or was served is in no index by state (migration 0012). */
export function isIndexed(state: InteractionState | undefined): boolean {
  return state !== undefined && state !== 'open' && state !== 'served';
}
