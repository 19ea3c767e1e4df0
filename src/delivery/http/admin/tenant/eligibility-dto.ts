import { ArrayMaxSize, IsArray, IsString, Matches } from 'class-validator';
import {
  Instant,
  ListOf,
  ModelNameField,
  Nested,
  NullableField,
  OptionalField,
  Slug,
  Text,
} from '../field-rules';
import { PiiRulesDto } from './pii-rules-dto';

/** `eu`, `eu-central-1`, `eu-*`. */
const REGION_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:-\*)?$/;

export class ExclusionDto {
  @Slug()
  provider!: string;

  @NullableField()
  @ModelNameField()
  model?: string | null;

  @Text(500)
  note!: string;

  @NullableField()
  @Instant()
  until?: string | null;
}

export class AllowedProviderDto {
  @Slug()
  provider!: string;

  @NullableField()
  @ModelNameField()
  model?: string | null;
}

export class EligibilityDto {
  @NullableField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @Matches(REGION_PATTERN, {
    each: true,
    message: "each value must be a region such as 'eu' or 'eu-central-1', or a pattern such as 'eu-*'",
  })
  allowed_regions?: string[] | null;

  @OptionalField()
  @ListOf(() => ExclusionDto, 500)
  exclusions?: ExclusionDto[];

  @NullableField()
  @ListOf(() => AllowedProviderDto, 500)
  allow_list?: AllowedProviderDto[] | null;

  @NullableField()
  @Nested(() => PiiRulesDto)
  pii?: PiiRulesDto | null;
}
