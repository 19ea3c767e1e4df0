import type { IncomingHttpHeaders } from 'node:http';
import { anthropicStreamFrames, anthropicWholeAnswer, event } from './anthropic-answer';
import { anthropicStatusFault } from './anthropic-fault';
import { readAnthropicPrompt } from './anthropic-prompt';
import { anthropicRequestFault } from './anthropic-request-rules';
import type { CallIdentity, ProviderFault, WireFormat } from '../wire-format';

export const anthropicWire: WireFormat = {
  basePath: '',
  chatPath: '/v1/messages',
  modelsPath: '/v1/models',
  answerIdPrefix: 'msg_01',
  toolCallIdPrefix: 'toolu_01',
  defaultModels: ['claude-haiku-4-5', 'claude-sonnet-4-6', 'claude-opus-4-8'],
  billsInputFirst: true,
  ping: event({ type: 'ping' }),
  credentialFault,
  requestFault: anthropicRequestFault,
  statusFault: anthropicStatusFault,
  urlFault: () => ({ status: 404, type: 'not_found_error', message: 'Not Found' }),
  modelFault: (model) => ({ status: 404, type: 'not_found_error', message: `model: ${model}` }),
  readPrompt: readAnthropicPrompt,
  wholeAnswer: anthropicWholeAnswer,
  streamFrames: anthropicStreamFrames,
  modelList: (models) => ({
    data: models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  }),
  errorBody: ({ type, message }, identity) => ({
    type: 'error',
    error: { type, message },
    request_id: identity.requestId,
  }),
  errorFrame: (error, identity) =>
    event({
      type: 'error',
      ...(error ?? { error: { details: null, type: 'overloaded_error', message: 'Overloaded' } }),
      ...(error ? {} : { request_id: identity.requestId }),
    }),
  headers: anthropicHeaders,
};

/** A key may come as `x-api-key` or as a bearer token; a key in any other header is no key. */
function credentialFault(
  headers: IncomingHttpHeaders,
  apiKey: string | undefined,
): ProviderFault | undefined {
  const key = headers['x-api-key'];
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const given = key ?? bearer;
  const message = key === undefined ? 'Invalid bearer token' : 'invalid x-api-key';
  if (given === undefined) return unauthenticated('x-api-key header is required');
  return apiKey === undefined || given === apiKey ? undefined : unauthenticated(message);
}

function unauthenticated(message: string): ProviderFault {
  return { status: 401, type: 'authentication_error', message };
}

const RETRYABLE_BELOW_500 = [408, 409, 429];

function anthropicHeaders(identity: CallIdentity, status: number): Readonly<Record<string, string>> {
  const isRetryable = status >= 500 || RETRYABLE_BELOW_500.includes(status);
  return {
    'request-id': identity.requestId,
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    server: 'cloudflare',
    via: '1.1 google',
    ...(status >= 400 ? { 'x-should-retry': String(isRetryable) } : {}),
  };
}
