import { OptionalField, TextList } from '../field-rules';

/** Without `offerings`: all of the channel. */
export class VerifyDto {
  @OptionalField()
  @TextList(100, 64)
  offerings?: string[];
}
