import type { InvalidRequest } from '../error/gateway-error';

/** Fields that every route knows, but not with every value. */
const VALUE_PARAMS: readonly string[] = [
  'messages',
  'model',
  'stream',
  'response_format',
  'tool_choice',
  'n',
  'max_completion_tokens',
  'modalities',
];

/** No eligible route can do what the request's field asks for: 400, naming the field (DESIGN §5). */
export function mismatchError(param: string, why: string): InvalidRequest {
  return {
    code: 'invalid_request_error',
    reason: VALUE_PARAMS.includes(param) ? 'unsupported_value' : 'unsupported_parameter',
    param,
    message: `No eligible route can do what ${param} asks for: ${why}.`,
  };
}
