import type { AuditPosition } from '../../../../usecase/port/audit-log';
import { cursorOf, placeOf } from '../cursor';

const POSITION = /^(\d{1,15}) (req_[0-9A-HJKMNP-TV-Z]{26})$/;

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
