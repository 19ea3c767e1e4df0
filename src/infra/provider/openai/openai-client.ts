import OpenAI from 'openai';
import type { Channel, ChannelOptions, OpenAiAuth } from '../../../domain/catalog/channel';
import { ChannelClients, lowerCased, NO_TIMEOUT_MS } from '../transport/channel-clients';
import { headRecorder } from '../transport/request-head';

/** The official `openai` clients of all channels. */
export function openAiClients(version: string): ChannelClients<OpenAI> {
  return new ChannelClients({
    build: (channel, credential) => clientOf(channel, credential, version),
    calls: {
      chat: (client, options) => client.post('/chat/completions', { ...options, body: {} }).asResponse(),
      models: (client, options) => client.get('/models', options).asResponse(),
    },
    accountOf: ({ organization, project }) => [organization, project].filter((name) => name !== null),
  });
}

/** Everything explicit, or the SDK takes it from the environment (STACK §3.1). */
function clientOf({ baseUrl, options }: Channel, credential: string, version: string): OpenAI {
  return new OpenAI({
    apiKey: credential,
    adminAPIKey: null,
    baseURL: baseUrl,
    organization: options.organization,
    project: options.project,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch: headRecorder,
    logLevel: 'off',
    defaultHeaders: {
      'user-agent': `schneeai-gateway/${version}`,
      'x-stainless-timeout': null,
      ...lowerCased(options.headers),
      ...credentialHeaders(options, credential),
    },
    ...(options.apiVersion ? { defaultQuery: { 'api-version': options.apiVersion } } : {}),
  });
}

const CREDENTIAL_HEADERS: Readonly<
  Record<OpenAiAuth, (credential: string) => Readonly<Record<string, string | null>>>
> = {
  bearer: (credential) => ({ authorization: `Bearer ${credential}`, 'api-key': null }),
  'api-key': (credential) => ({ authorization: null, 'api-key': credential }),
};

/** Exactly one credential; null removes a header, the SDK's own included. */
function credentialHeaders(
  { openAiAuth = 'bearer' }: ChannelOptions,
  credential: string,
): Readonly<Record<string, string | null>> {
  return CREDENTIAL_HEADERS[openAiAuth](credential);
}
