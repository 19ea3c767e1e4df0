import { IsBoolean, IsIn, IsObject, IsString, Matches, MaxLength, ValidateBy } from 'class-validator';
import type { AdapterKind, ChannelOptions, OpenAiAuth } from '../../../../domain/catalog/channel';
import { ADAPTER_KINDS, OPENAI_AUTHS } from '../../../../domain/catalog/channel';
import type { ProbeKind } from '../../../../domain/catalog/probe-schedule';
import { PROBE_INTERVAL_MS, PROBE_KINDS } from '../../../../domain/catalog/probe-schedule';
import { isJsonObject } from '../../../../domain/kernel/json';
import { EntryId, Nested, NullableField, OptionalField, Slug, Text, WholeNumber } from '../field-rules';

const API_VERSION = /^[a-zA-Z0-9.-]{1,64}$/;
const REGION = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Far more than any provider asks for. */
const MAX_HEADERS = 50;

function isHeaderRecord(value: unknown): boolean {
  if (!isJsonObject(value) || Object.keys(value).length > MAX_HEADERS) return false;
  return Object.values(value).every((text) => typeof text === 'string' && text.length <= 4_096);
}

const HEADERS_FAULT = `must be an object of at most ${MAX_HEADERS} header names with text values`;

export class ProbeDto {
  @IsIn(PROBE_KINDS)
  kind!: ProbeKind;

  @WholeNumber(PROBE_INTERVAL_MS.min, PROBE_INTERVAL_MS.max)
  interval_ms!: number;
}

export class ChannelOptionsDto {
  @OptionalField()
  @IsObject()
  @ValidateBy({
    name: 'isHeaderRecord',
    validator: { validate: isHeaderRecord, defaultMessage: () => HEADERS_FAULT },
  })
  headers?: Record<string, string>;

  @NullableField()
  @Text(200)
  organization?: string | null;

  @NullableField()
  @Text(200)
  project?: string | null;

  @NullableField()
  @Text(64)
  anthropic_version?: string | null;

  @OptionalField()
  @IsIn(['x-api-key', 'bearer'])
  anthropic_auth?: ChannelOptions['anthropicAuth'];

  @OptionalField()
  @IsIn(OPENAI_AUTHS)
  openai_auth?: OpenAiAuth;

  @NullableField()
  @IsString()
  @Matches(API_VERSION, { message: "must be a version such as '2024-10-21' or 'preview'" })
  api_version?: string | null;

  @NullableField()
  @Nested(() => ProbeDto)
  probe?: ProbeDto | null;
}

/** `id` may be left out: the path has it, or one is made. */
export class ChannelDto {
  @OptionalField()
  @EntryId()
  id?: string;

  @Slug()
  provider!: string;

  @IsIn(ADAPTER_KINDS)
  kind!: AdapterKind;

  @IsString()
  @MaxLength(2_048)
  base_url!: string;

  @IsString()
  @MaxLength(1_024)
  credential_ref!: string;

  @IsString()
  @MaxLength(64)
  @Matches(REGION, { message: "must be a region such as 'eu' or 'eu-central-1'" })
  region!: string;

  @OptionalField()
  @Slug()
  group?: string;

  @OptionalField()
  @WholeNumber(0, 1_000_000)
  priority?: number;

  @OptionalField()
  @IsBoolean()
  enabled?: boolean;

  @OptionalField()
  @Nested(() => ChannelOptionsDto)
  options?: ChannelOptionsDto;
}
