import type { ProviderFault } from '../wire-format';

export function invalidRequest(message: string, param?: string, code?: string): ProviderFault {
  return {
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  };
}

const RATE_LIMIT =
  'Rate limit reached for simulated-model in organization org-simulated on requests per min (RPM): Limit 500, Used 500, Requested 1. ' +
  'Please try again in 2s. Visit https://platform.openai.com/account/rate-limits to learn more.';

/** What the API itself says with a status. Every other status comes from the CDN in front of it, as HTML. */
const BY_STATUS: Readonly<Record<number, Omit<ProviderFault, 'status'>>> = {
  400: { type: 'invalid_request_error', message: 'The request is invalid.' },
  401: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message:
      'Incorrect API key provided: sk-simul****-key. You can find your API key at https://platform.openai.com/account/api-keys.',
  },
  403: {
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
    message: 'Country, region, or territory not supported',
  },
  404: {
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model `simulated-model` does not exist or you do not have access to it.',
  },
  408: { type: 'server_error', message: 'Request timed out.' },
  409: { type: 'invalid_request_error', message: 'The resource is being changed by another request.' },
  413: { type: 'invalid_request_error', message: 'The request body is too large.' },
  422: { type: 'invalid_request_error', message: 'Unprocessable entity.' },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: RATE_LIMIT },
  500: {
    type: 'server_error',
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  503: {
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
    message: 'That model is currently overloaded with other requests.',
  },
  529: {
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
    message: 'Our servers are currently overloaded. Please try again later.',
  },
};

export function openAiStatusFault(status: number): ProviderFault | undefined {
  const fault = BY_STATUS[status];
  return fault && { status, ...fault };
}
