import { PageCursor, PageLimit } from '../page-fields';
import { requestIdOfCursor } from './audit-cursor';
import { AuditFilterFields } from './audit-filter-fields';

@AuditFilterFields()
export class AuditQueryDto {
  @PageLimit()
  limit?: number;

  @PageCursor(requestIdOfCursor)
  cursor?: string;
}
