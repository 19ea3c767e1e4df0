import { PageCursor, PageLimit } from '../page-fields';
import { AuditFilterFields } from './audit-filter-fields';
import { recordOfCursor } from './record-cursor';

@AuditFilterFields()
export class AuditQueryDto {
  @PageLimit()
  limit?: number;

  @PageCursor(recordOfCursor)
  cursor?: string;
}
