import { IsBoolean, IsIn } from 'class-validator';
import type { SamplingSupport, ThinkingKind } from '../../../../domain/catalog/model-contract';
import type { TokenLimitField } from '../../../../domain/catalog/writing-rules';
import { TOKEN_LIMIT_FIELDS } from '../../../../domain/catalog/writing-rules';
import { NullableField, OptionalField, TextList, WholeNumber } from '../field-rules';

/** More tokens than any model will hold for a while; keeps sums safe. */
const MAX_TOKENS = 1_000_000_000;

/** A capability that is stated, one way or the other. */
function Capability(): PropertyDecorator {
  return (target, property) => {
    OptionalField()(target, property);
    IsBoolean()(target, property);
  };
}

/** What is left out is as the model says, and for a model as the gateway's default says. */
export class ContractDto {
  @NullableField()
  @WholeNumber(1, MAX_TOKENS)
  context_tokens?: number | null;

  @NullableField()
  @WholeNumber(1, MAX_TOKENS)
  max_output_tokens?: number | null;

  @Capability()
  streaming?: boolean;

  @Capability()
  tools?: boolean;

  @Capability()
  forced_tool_choice?: boolean;

  @Capability()
  json_schema?: boolean;

  @Capability()
  json_object?: boolean;

  @Capability()
  vision?: boolean;

  @Capability()
  files?: boolean;

  @Capability()
  audio?: boolean;

  @Capability()
  multiple_choices?: boolean;

  @Capability()
  logprobs?: boolean;

  @Capability()
  legacy_functions?: boolean;

  @Capability()
  prefill?: boolean;

  @Capability()
  mid_conversation_system?: boolean;

  @OptionalField()
  @IsIn(['any', 'one_of_both', 'defaults_only', 'none'])
  sampling?: SamplingSupport;

  @OptionalField()
  @IsIn(['none', 'manual', 'adaptive_off', 'adaptive_on', 'always'])
  thinking?: ThinkingKind;

  @OptionalField()
  @TextList(20, 32)
  effort_levels?: string[];

  @OptionalField()
  @IsIn(TOKEN_LIMIT_FIELDS)
  token_limit_field?: TokenLimitField;

  @Capability()
  developer_role?: boolean;

  @Capability()
  stream_options?: boolean;

  @Capability()
  strict_body?: boolean;

  @NullableField()
  @TextList(20, 32)
  reasoning_efforts?: string[] | null;
}
