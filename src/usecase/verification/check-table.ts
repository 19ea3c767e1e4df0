import { ANSWER_CHECK, STREAMING_CHECK } from './answer-checks';
import type { Check } from './check';
import { ERRORS_CHECK, JSON_SCHEMA_CHECK, LIMITS_CHECK } from './shape-checks';
import { FORCED_TOOL_CHECK, TOOLS_CHECK } from './tool-checks';

/** Every check of DESIGN §9 (`channels/{c}/verify`), in the order in which they are made. */
export const CHECKS: readonly Check[] = [
  ANSWER_CHECK,
  STREAMING_CHECK,
  TOOLS_CHECK,
  FORCED_TOOL_CHECK,
  JSON_SCHEMA_CHECK,
  LIMITS_CHECK,
  ERRORS_CHECK,
];
