import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';
import {
  ARCHIVED_PARTS,
  MAX_RETENTION_HOURS,
  type ArchivedPart,
} from '../../../../domain/archive/archive-term';
import { Instant, OptionalField, WholeNumber } from '../field-rules';

export class ArchiveTermDto {
  @Instant()
  until!: string;

  @OptionalField()
  @WholeNumber(1, MAX_RETENTION_HOURS)
  retention_hours?: number;

  @OptionalField()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(ARCHIVED_PARTS, { each: true })
  include?: ArchivedPart[];
}
