import type { IncomingHttpHeaders } from 'node:http';
import { openAiStatusFault } from './openai-fault';
import { openAiStreamFrames, openAiWholeAnswer } from './openai-answer';
import { readOpenAiPrompt } from './openai-prompt';
import { openAiRequestFault } from './openai-request-rules';
import type { CallIdentity, ProviderFault, WireFormat } from '../wire-format';

const HELP = 'You can find your API key at https://platform.openai.com/account/api-keys.';

export const openAiWire: WireFormat = {
  basePath: '/v1',
  chatPath: '/v1/chat/completions',
  modelsPath: '/v1/models',
  answerIdPrefix: 'chatcmpl-',
  toolCallIdPrefix: 'call_',
  defaultModels: ['gpt-4o', 'gpt-4o-mini', 'gpt-5-mini'],
  billsInputFirst: false,
  ping: ': ping\n\n',
  credentialFault,
  requestFault: (body) => openAiRequestFault(body),
  statusFault: openAiStatusFault,
  urlFault: (method, path) => ({
    status: 404,
    type: 'invalid_request_error',
    message: `Invalid URL (${method} ${path})`,
  }),
  modelFault: (model) => ({
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  }),
  readPrompt: readOpenAiPrompt,
  wholeAnswer: openAiWholeAnswer,
  streamFrames: openAiStreamFrames,
  modelList: (models) => ({
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 1_721_172_741, owned_by: 'system' })),
  }),
  errorBody: ({ message, type, param = null, code = null }) => ({ error: { message, type, param, code } }),
  errorFrame: (error) => `data: ${JSON.stringify(error ?? OVERLOADED_FRAME)}\n\n`,
  headers: openAiHeaders,
};

const OVERLOADED_FRAME = {
  error: {
    message: 'Our servers are currently overloaded. Please try again later.',
    type: 'service_unavailable_error',
    param: null,
    code: 'server_is_overloaded',
  },
};

function credentialFault(
  headers: IncomingHttpHeaders,
  apiKey: string | undefined,
): ProviderFault | undefined {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) {
    const message = `You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). ${HELP}`;
    return { status: 401, type: 'invalid_request_error', message };
  }
  if (apiKey === undefined || given === apiKey) return undefined;
  const message = `Incorrect API key provided: ${masked(given)}. ${HELP}`;
  return { status: 401, type: 'invalid_request_error', code: 'invalid_api_key', message };
}

/** The real API shows the two ends of a key, which is why gateways must redact upstream messages. */
function masked(key: string): string {
  return key.length <= 12
    ? '*'.repeat(key.length)
    : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
}

function openAiHeaders(identity: CallIdentity): Readonly<Record<string, string>> {
  return {
    'x-request-id': identity.requestId,
    'openai-organization': 'org-simulated',
    'openai-processing-ms': String(Date.now() - identity.startedAtMs),
    'openai-version': '2020-10-01',
    server: 'cloudflare',
  };
}
