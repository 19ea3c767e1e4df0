import { requestIdOfCursor } from '../audit/audit-cursor';
import { PageCursor, PageLimit } from '../page-fields';

export class ArchiveQueryDto {
  @PageLimit()
  limit?: number;

  @PageCursor(requestIdOfCursor)
  cursor?: string;
}
