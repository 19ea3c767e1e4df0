import { IsBoolean, IsString, Matches, MaxLength } from 'class-validator';
import { EntryId, ModelNameField, Nested, NullableField, OptionalField, WholeNumber } from '../field-rules';
import { ContractDto } from './contract-dto';

/** 1,000,000 USD per million tokens: beyond any price, and a million tokens still add up safely. */
const MAX_PRICE = 1_000_000_000_000;

/** Whole micro-USD per million tokens. */
export class PriceDto {
  @WholeNumber(0, MAX_PRICE)
  input!: number;

  @WholeNumber(0, MAX_PRICE)
  output!: number;

  @NullableField()
  @WholeNumber(0, MAX_PRICE)
  cached_input?: number | null;

  @NullableField()
  @WholeNumber(0, MAX_PRICE)
  cache_write?: number | null;

  /** Of a cache that lives an hour. */
  @NullableField()
  @WholeNumber(0, MAX_PRICE)
  cache_write_1h?: number | null;
}

/** `id` may be left out: the path has it, or one is made. */
export class OfferingDto {
  @OptionalField()
  @EntryId()
  id?: string;

  @EntryId()
  channel!: string;

  @ModelNameField()
  model!: string;

  @IsString()
  @MaxLength(300)
  @Matches(/^[\x21-\x7e]+$/, { message: 'must be printable ASCII without spaces' })
  upstream_name!: string;

  @NullableField()
  @Nested(() => PriceDto)
  price?: PriceDto | null;

  @OptionalField()
  @Nested(() => ContractDto)
  contract?: ContractDto;

  @OptionalField()
  @IsBoolean()
  enabled?: boolean;
}
