import { ArrayMaxSize, ArrayUnique, IsArray } from 'class-validator';
import { ModelNameField, Nested, OptionalField, Slug } from '../field-rules';
import { ContractDto } from './contract-dto';

/** `name` may be left out where the path has it. */
export class ModelDto {
  @OptionalField()
  @ModelNameField()
  name?: string;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @ModelNameField({ each: true })
  aliases?: string[];

  @Slug()
  provider!: string;

  @OptionalField()
  @Nested(() => ContractDto)
  contract?: ContractDto;
}
