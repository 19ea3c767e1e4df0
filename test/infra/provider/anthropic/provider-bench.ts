import type { Channel } from '../../../../src/domain/catalog/channel';
import type { ModelContract } from '../../../../src/domain/catalog/model-contract';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import type { Frame } from '../../../../src/domain/stream/frame';
import { AnthropicChatProvider } from '../../../../src/infra/provider/anthropic/anthropic-provider';
import {
  CredentialSchemes,
  EnvironmentCredentials,
} from '../../../../src/infra/provider/transport/credential-resolver';
import { UpstreamTransport } from '../../../../src/infra/provider/transport/upstream-transport';
import { SimulatedProvider } from '../../../../src/infra/simulator/simulated-provider';
import type { ProviderCall, ProviderReply, WholeOutcome } from '../../../../src/usecase/port/chat-provider';
import { HAIKU_4_5, HELLO } from './claude-contract';

export const CHANNEL_KEY = 'sk-ant-canary-4f9a77c2d1e8b6a3';

/** The overrides of one call; what isn't given is the same everywhere. */
export type CallOverrides = Readonly<{
  channel?: Partial<Channel>;
  options?: Partial<Channel['options']>;
  contract?: ModelContract;
  tenant?: string;
  unsupportedParams?: ProviderCall['unsupportedParams'];
  abort?: AbortSignal;
}>;

/** The real adapter and SDK, against a simulated provider on loopback. */
export class ProviderBench {
  activity = 0;
  private readonly transport = new UpstreamTransport();
  private readonly provider: AnthropicChatProvider;

  private constructor(readonly upstream: SimulatedProvider) {
    this.provider = new AnthropicChatProvider({
      upstream: this.transport,
      credentials: new CredentialSchemes(
        new Map([['env', new EnvironmentCredentials({ UPSTREAM_KEY: CHANNEL_KEY })]]),
      ),
      clock: { nowMs: () => 1_790_000_000_999 },
      version: '1.2.3',
      userHashKey: 'a-key',
    });
  }

  static async start(): Promise<ProviderBench> {
    return new ProviderBench(
      await SimulatedProvider.start({ wire: 'anthropic', name: 'claude', apiKey: CHANNEL_KEY }),
    );
  }

  async stop(): Promise<void> {
    await this.transport.close();
    await this.upstream.stop();
  }

  send(body: JsonObject, overrides: CallOverrides = {}): Promise<ProviderReply> {
    const whole: JsonObject = { model: 'auto', messages: [HELLO], ...body };
    return this.provider.send({
      request: {
        model: 'auto',
        stream: whole.stream === true,
        includeUsage: false,
        body: whole,
        needs: {} as ProviderCall['request']['needs'],
      },
      route: {
        id: 'off_1',
        provider: 'anthropic',
        model: 'claude-haiku-4-5',
        upstreamName: 'claude-haiku-4-5-20251001',
        price: null,
        contract: overrides.contract ?? HAIKU_4_5,
        enabled: true,
        channel: this.channelOf(overrides),
      },
      tenant: overrides.tenant ?? 'tenant_1',
      correlationId: 'req_1-1',
      unsupportedParams: overrides.unsupportedParams ?? 'ignore',
      abort: overrides.abort ?? new AbortController().signal,
      onActivity: () => this.activity++,
    });
  }

  async frames(body: JsonObject = {}, overrides: CallOverrides = {}): Promise<readonly Frame[]> {
    const reply = await this.send({ ...body, stream: true }, overrides);
    if (reply.kind !== 'stream') throw new Error(`no stream: ${JSON.stringify(reply)}`);
    const frames: Frame[] = [];
    for await (const group of reply.frames) frames.push(...group);
    return frames;
  }

  async whole(body: JsonObject = {}, overrides: CallOverrides = {}): Promise<WholeOutcome> {
    const reply = await this.send(body, overrides);
    return reply.kind === 'whole' ? reply.read() : { kind: 'failed', signal: { kind: 'truncated' } };
  }

  private channelOf({ channel, options }: CallOverrides): Channel {
    return {
      id: 'ch_1',
      provider: 'anthropic',
      kind: 'anthropic',
      baseUrl: this.upstream.baseUrl,
      credentialRef: 'env:UPSTREAM_KEY',
      region: 'us',
      group: 'default',
      priority: 1,
      enabled: true,
      options: {
        headers: {},
        organization: null,
        project: null,
        anthropicVersion: null,
        anthropicAuth: 'x-api-key',
        ...options,
      },
      ...channel,
    };
  }
}
