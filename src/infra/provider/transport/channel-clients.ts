import type { Channel, ChannelOptions } from '../../../domain/catalog/channel';
import { SecretRedactor } from './redact-secrets';

/** The longest timer that Node has: the attempt's own timers decide, not the SDK's. */
export const NO_TIMEOUT_MS = 2_147_483_647;

const SECRET_HEADER = /key|token|secret|auth/i;

/** The official client of one channel, and what must never be told of it. */
export type ChannelClient<Client> = Readonly<{
  credential: string;
  client: Client;
  redactor: SecretRedactor;
}>;

export type ClientKind<Client> = Readonly<{
  build: (channel: Channel, credential: string) => Client;
  /** What names our account at the provider, beside the credential. */
  accountOf: (options: ChannelOptions) => readonly string[];
}>;

/** Builds each channel's client once; a changed channel or a rotated credential gets a new one. */
export class ChannelClients<Client> {
  private readonly byChannel = new WeakMap<Channel, ChannelClient<Client>>();

  constructor(private readonly kind: ClientKind<Client>) {}

  of(channel: Channel, credential: string): ChannelClient<Client> {
    const known = this.byChannel.get(channel);
    if (known?.credential === credential) return known;
    const built = {
      credential,
      client: this.kind.build(channel, credential),
      redactor: this.redactorOf(channel, credential),
    };
    this.byChannel.set(channel, built);
    return built;
  }

  private redactorOf({ options }: Channel, credential: string): SecretRedactor {
    const headers = Object.entries(options.headers).filter(([name]) => SECRET_HEADER.test(name));
    const secrets = headers.map(([, value]) => value);
    return new SecretRedactor([credential, ...secrets, ...this.kind.accountOf(options)]);
  }
}

/** An SDK would join two spellings of one name, and so send two credentials or versions. */
export function lowerCased(headers: ChannelOptions['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
