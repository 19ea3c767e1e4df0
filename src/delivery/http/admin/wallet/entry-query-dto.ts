import { PageCursor, PageLimit } from '../page-fields';
import { entryOfCursor } from './entry-cursor';

export class EntryQueryDto {
  @PageLimit()
  limit?: number;

  @PageCursor(entryOfCursor)
  cursor?: string;
}
