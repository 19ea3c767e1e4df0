import type { AuditPosition } from '../../../../usecase/port/audit-log';
import { cursorOf, MOMENT, placeOf, ULID } from '../cursor';

const POSITION = new RegExp(`^${MOMENT} (req_${ULID})$`);

export function cursorOfRecord({ openedAtMs, requestId }: AuditPosition): string {
  return cursorOf(openedAtMs, requestId);
}

/** Null: this is no cursor of ours. */
export function recordOfCursor(cursor: string): AuditPosition | null {
  const [openedAt, requestId] = placeOf(cursor, POSITION) ?? [];
  return openedAt === undefined || requestId === undefined
    ? null
    : { openedAtMs: Number(openedAt), requestId };
}
