import type { Channel, ChannelOptions } from '../../../domain/catalog/channel';
import { SecretRedactor } from './redact-secrets';
import { recordHead, type RecordingOptions, type RequestHead } from './request-head';

/** The longest timer that Node has: the attempt's own timers decide, not the SDK's. */
export const NO_TIMEOUT_MS = 2_147_483_647;

const SECRET_HEADER = /key|token|secret|auth/i;

/** The calls that we make to a provider. */
export type CallName = 'chat' | 'models';

export type ClientKind<Client> = Readonly<{
  /** With `headRecorder` as its `fetch`. */
  build: (channel: Channel, credential: string) => Client;
  calls: Readonly<Record<CallName, (client: Client, options: RecordingOptions) => Promise<unknown>>>;
  /** What names our account at the provider, beside the credential. */
  accountOf: (options: ChannelOptions) => readonly string[];
}>;

/**
 * One channel through its provider's official SDK, which says where its requests go and which headers authenticate them.
 * It is asked once and not for each request, as nothing of that changes before the channel or its credential does.
 */
export class ChannelClient<Client> {
  private readonly heads = new Map<CallName, Promise<RequestHead>>();

  constructor(
    readonly credential: string,
    /** What must never be told of the channel. */
    readonly redactor: SecretRedactor,
    private readonly client: Client,
    private readonly calls: ClientKind<Client>['calls'],
  ) {}

  headOf(name: CallName): Promise<RequestHead> {
    const known = this.heads.get(name);
    if (known !== undefined) return known;
    const head = recordHead((options) => this.calls[name](this.client, options));
    this.heads.set(name, head);
    return head;
  }
}

/** Builds each channel's client once; a changed channel or a rotated credential gets a new one. */
export class ChannelClients<Client> {
  private readonly byChannel = new WeakMap<Channel, ChannelClient<Client>>();

  constructor(private readonly kind: ClientKind<Client>) {}

  of(channel: Channel, credential: string): ChannelClient<Client> {
    const known = this.byChannel.get(channel);
    if (known?.credential === credential) return known;
    const { build, calls } = this.kind;
    const redactor = this.redactorOf(channel, credential);
    const built = new ChannelClient(credential, redactor, build(channel, credential), calls);
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
