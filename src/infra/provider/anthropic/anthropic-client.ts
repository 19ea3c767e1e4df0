import Anthropic from '@anthropic-ai/sdk';
import type { Channel, ChannelOptions } from '../../../domain/catalog/channel';
import { ChannelClients, lowerCased, NO_TIMEOUT_MS } from '../transport/channel-clients';
import { headRecorder } from '../transport/request-head';

/** The SDK's own 2026-10-21 refuses `temperature`; this one takes it where the model does (WIRE §8). */
export const DEFAULT_ANTHROPIC_VERSION = '2023-06-01';

/** The official `@anthropic-ai/sdk` clients of all channels. */
export function anthropicClients(version: string): ChannelClients<Anthropic> {
  return new ChannelClients({
    build: (channel, credential) => clientOf(channel, credential, version),
    calls: {
      chat: (client, options) => client.post('/v1/messages', { ...options, body: {} }).asResponse(),
      models: (client, options) => client.get('/v1/models', options).asResponse(),
    },
    // An account has no name of its own on this wire.
    accountOf: () => [],
  });
}

/** Everything explicit, or the SDK takes it from the environment or from profiles on disk (STACK §3.1). */
function clientOf({ baseUrl, options }: Channel, credential: string, version: string): Anthropic {
  return new Anthropic({
    apiKey: credential,
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch: headRecorder,
    logLevel: 'off',
    openTelemetry: false,
    defaultHeaders: {
      'user-agent': `schneeai-gateway/${version}`,
      'x-stainless-timeout': null,
      ...lowerCased(options.headers),
      'anthropic-version': options.anthropicVersion ?? DEFAULT_ANTHROPIC_VERSION,
      ...credentialHeaders(options, credential),
    },
  });
}

/** Exactly one of both; null removes the other, the SDK's own included. */
function credentialHeaders(
  { anthropicAuth }: ChannelOptions,
  credential: string,
): Readonly<Record<string, string | null>> {
  return anthropicAuth === 'bearer'
    ? { authorization: `Bearer ${credential}`, 'x-api-key': null }
    : { authorization: null, 'x-api-key': credential };
}
