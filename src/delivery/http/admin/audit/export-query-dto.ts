import { IsIn } from 'class-validator';
import { OptionalField } from '../field-rules';
import { AuditFilterFields } from './audit-filter-fields';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_ROWS = ['interactions', 'attempts'] as const;
export type ExportRows = (typeof EXPORT_ROWS)[number];

@AuditFilterFields()
export class ExportQueryDto {
  @OptionalField()
  @IsIn(EXPORT_FORMATS)
  format?: ExportFormat;

  @OptionalField()
  @IsIn(EXPORT_ROWS)
  rows?: ExportRows;
}
