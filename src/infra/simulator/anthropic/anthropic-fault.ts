import type { ProviderFault } from '../wire-format';

export function invalidRequest(message: string): ProviderFault {
  return { status: 400, type: 'invalid_request_error', message };
}

/** What the API itself says with a status. Every other status comes from the CDN in front of it, as HTML. */
const BY_STATUS: Readonly<Record<number, Omit<ProviderFault, 'status'>>> = {
  400: { type: 'invalid_request_error', message: 'messages.0: Input does not match the expected shape.' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  402: { type: 'billing_error', message: 'There is an issue with your billing or payment information.' },
  403: {
    type: 'permission_error',
    message: 'Your API key does not have permission to use the specified resource.',
  },
  404: { type: 'not_found_error', message: 'model: simulated-model' },
  408: { type: 'timeout_error', message: 'Request timed out' },
  409: { type: 'conflict_error', message: 'The resource is being changed by another request.' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: {
    type: 'rate_limit_error',
    message: 'This request would exceed the rate limit for your organization of 50 requests per minute.',
  },
  500: { type: 'api_error', message: 'Internal server error' },
  503: { type: 'overloaded_error', message: 'Overloaded' },
  504: { type: 'timeout_error', message: 'Request timed out' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
};

export function anthropicStatusFault(status: number): ProviderFault | undefined {
  const fault = BY_STATUS[status];
  return fault && { status, ...fault };
}
