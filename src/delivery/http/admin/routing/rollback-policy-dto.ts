import { WholeNumber } from '../field-rules';

export class RollbackPolicyDto {
  @WholeNumber(1, Number.MAX_SAFE_INTEGER)
  version!: number;
}
