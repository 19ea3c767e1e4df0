import { PageCursor, PageLimit } from '../page-fields';
import { requestIdOfCursor } from './archive-cursor';

export class ArchiveQueryDto {
  @PageLimit()
  limit?: number;

  @PageCursor(requestIdOfCursor)
  cursor?: string;
}
