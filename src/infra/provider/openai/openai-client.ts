import OpenAI from 'openai';
import type { Channel, ChannelOptions, OpenAiAuth } from '../../../domain/catalog/channel';
import { SecretRedactor } from '../transport/redact-secrets';
import type { UpstreamFetch } from '../transport/upstream-fetch';

/** The official client of one channel, and what must never be told of it. */
export type ChannelClient = Readonly<{ credential: string; client: OpenAI; redactor: SecretRedactor }>;

/** The longest timer that Node has: the attempt's own timers decide. */
const NO_TIMEOUT_MS = 2_147_483_647;

const SECRET_HEADER = /key|token|secret|auth/i;

/** Builds each channel's client once; a changed channel or a rotated credential gets a new one. */
export class OpenAiClients {
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

  /** Everything explicit, or the SDK takes it from the environment (STACK §3.1). */
  private build({ baseUrl, options }: Channel, credential: string): OpenAI {
    return new OpenAI({
      apiKey: credential,
      adminAPIKey: null,
      baseURL: baseUrl,
      organization: options.organization,
      project: options.project,
      webhookSecret: null,
      maxRetries: 0,
      timeout: NO_TIMEOUT_MS,
      fetch: this.upstream.fetch,
      logLevel: 'off',
      defaultHeaders: {
        'user-agent': `schneeai-gateway/${this.version}`,
        'x-stainless-timeout': null,
        ...lowerCased(options.headers),
        ...credentialHeaders(options, credential),
      },
      ...(options.apiVersion ? { defaultQuery: { 'api-version': options.apiVersion } } : {}),
    });
  }
}

/** The SDK would join two spellings of one name. */
function lowerCased(headers: ChannelOptions['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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

function redactorOf({ options }: Channel, credential: string): SecretRedactor {
  const headers = Object.entries(options.headers).filter(([name]) => SECRET_HEADER.test(name));
  const account = [options.organization, options.project].filter((value) => value !== null);
  return new SecretRedactor([credential, ...headers.map(([, value]) => value), ...account]);
}
