import Anthropic from '@anthropic-ai/sdk';
import type { Channel, ChannelOptions } from '../../../domain/catalog/channel';
import { SecretRedactor } from '../transport/redact-secrets';
import type { UpstreamFetch } from '../transport/upstream-fetch';

/** The official client of one channel, and what must never be told of it. */
export type ChannelClient = Readonly<{ credential: string; client: Anthropic; redactor: SecretRedactor }>;

/** The SDK's own 2026-10-21 refuses `temperature`; this one takes it where the model does (WIRE §8). */
export const DEFAULT_ANTHROPIC_VERSION = '2023-06-01';

/** The longest timer that Node has: the attempt's own timers decide. */
const NO_TIMEOUT_MS = 2_147_483_647;

const SECRET_HEADER = /key|token|secret|auth/i;

/** Builds each channel's client once; a changed channel or a rotated credential gets a new one. */
export class AnthropicClients {
  private readonly byChannel = new WeakMap<Channel, ChannelClient>();

  constructor(
    private readonly upstream: UpstreamFetch,
    private readonly version: string,
  ) {}

  of(channel: Channel, credential: string): ChannelClient {
    const known = this.byChannel.get(channel);
    if (known?.credential === credential) return known;
    const built = {
      credential,
      client: this.build(channel, credential),
      redactor: redactorOf(channel, credential),
    };
    this.byChannel.set(channel, built);
    return built;
  }

  /** Everything explicit, or the SDK takes it from the environment or from profiles on disk (STACK §3.1). */
  private build({ baseUrl, options }: Channel, credential: string): Anthropic {
    return new Anthropic({
      apiKey: credential,
      authToken: null,
      webhookKey: null,
      baseURL: baseUrl,
      maxRetries: 0,
      timeout: NO_TIMEOUT_MS,
      fetch: this.upstream.fetch,
      logLevel: 'off',
      openTelemetry: false,
      defaultHeaders: {
        'user-agent': `schneeai-gateway/${this.version}`,
        'x-stainless-timeout': null,
        ...lowerCased(options.headers),
        'anthropic-version': options.anthropicVersion ?? DEFAULT_ANTHROPIC_VERSION,
        ...credentialHeaders(options, credential),
      },
    });
  }
}

/** The SDK would join two spellings of one name, and so send two credentials or versions. */
function lowerCased(headers: ChannelOptions['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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

function redactorOf({ options }: Channel, credential: string): SecretRedactor {
  const headers = Object.entries(options.headers).filter(([name]) => SECRET_HEADER.test(name));
  return new SecretRedactor([credential, ...headers.map(([, value]) => value)]);
}
