import type Anthropic from '@anthropic-ai/sdk';
import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../../domain/kernel/json';
import type { Signal } from '../../../domain/resilience/signal';
import type {
  ChatProvider,
  ProviderCall,
  ProviderReply,
  ReplyHead,
  WholeOutcome,
} from '../../../usecase/port/chat-provider';
import type { Clock } from '../../../usecase/port/clock';
import type { ChannelClient, ChannelClients } from '../transport/channel-clients';
import type { CredentialResolver } from '../transport/credential-resolver';
import { signalOfStatus } from '../transport/error-body';
import { defectSignal, EventFrames } from '../transport/event-frames';
import { replyHead, retryHints } from '../transport/reply-head';
import { signalOfThrown } from '../transport/thrown-signal';
import { UpstreamExchange } from '../transport/upstream-exchange';
import type { UpstreamTransport } from '../transport/upstream-transport';
import { AnswerFold } from './anthropic-answer';
import { anthropicClients, DEFAULT_ANTHROPIC_VERSION } from './anthropic-client';
import { translateRequest } from './anthropic-request';
import { untranslatable } from './anthropic-signal';
import { AnthropicStream } from './anthropic-stream';
import type { Translated, Translation } from './request/translation';

export type AnthropicChatProviderDeps = Readonly<{
  upstream: UpstreamTransport;
  credentials: CredentialResolver;
  clock: Clock;
  /** Ours, for the `user-agent`. */
  version: string;
  /** Keys the hash under which a caller's user id leaves; the same on every replica, so that it stays one user. */
  userHashKey: string;
}>;

/** Since this version of the API, temperature and top_p are unknown fields (WIRE §8). */
const VERSION_WITHOUT_SAMPLING = '2026-10-21';

/** Messages upstreams, as the official `@anthropic-ai/sdk` client addresses and authenticates them. */
export class AnthropicChatProvider implements ChatProvider {
  private readonly clients: ChannelClients<Anthropic>;

  constructor(private readonly deps: AnthropicChatProviderDeps) {
    this.clients = anthropicClients(deps.version);
  }

  async send(call: ProviderCall): Promise<ProviderReply> {
    const exchange = new UpstreamExchange(call.abort);
    const ignoredParams: string[] = [];
    try {
      const translation = this.translate(call);
      if (!translation.ok) return failed(null, untranslatable(translation.error), []);
      ignoredParams.push(...translation.value.ignoredParams);
      const { channel } = call.route;
      const credential = await this.deps.credentials.resolve(channel.credentialRef);
      if (!credential.ok) return failed(null, credential.error, ignoredParams);
      const client = this.clients.of(channel, credential.value);
      await this.post(client, translation.value.body, exchange);
      return await this.replyOf(client, call, exchange, ignoredParams);
    } catch (error) {
      return failed(null, signalOfThrown(error, exchange), ignoredParams);
    }
  }

  /** Always a stream: idle limits work, and tool arguments stay the text that the model wrote (WIRE §13). */
  private async post(
    client: ChannelClient<Anthropic>,
    body: JsonObject,
    exchange: UpstreamExchange,
  ): Promise<void> {
    const headers = { accept: 'text/event-stream' };
    const head = await client.headOf('chat');
    await this.deps.upstream.send(exchange, head, { headers, body: JSON.stringify(body) });
  }

  private translate({ request, route, tenant, unsupportedParams }: ProviderCall): Translated<Translation> {
    const version = route.channel.options.anthropicVersion ?? DEFAULT_ANTHROPIC_VERSION;
    const contract =
      version >= VERSION_WITHOUT_SAMPLING ? { ...route.contract, sampling: 'none' as const } : route.contract;
    return translateRequest(request.body, {
      contract,
      upstreamName: route.upstreamName,
      hashUser: (user) =>
        createHmac('sha256', this.deps.userHashKey).update(`${tenant}\0${user}`).digest('hex'),
      unsupportedParams,
    });
  }

  private async replyOf(
    { redactor }: ChannelClient<Anthropic>,
    call: ProviderCall,
    exchange: UpstreamExchange,
    ignoredParams: readonly string[],
  ): Promise<ProviderReply> {
    const upstream = exchange.head;
    const head = replyHead(upstream, 'anthropic', redactor);
    const signal = await signalOfStatus(exchange, redactor);
    if (signal !== null) return failed(head, signal, ignoredParams);
    const stream = new AnthropicStream({
      redactor,
      hints: retryHints(upstream.headers),
      created: Math.floor(this.deps.clock.nowMs() / 1_000),
      fallbackId: `chatcmpl-${call.correlationId}`,
    });
    const frames = new EventFrames(exchange, stream, call.onActivity);
    return call.request.stream
      ? { kind: 'stream', head, ignoredParams, frames }
      : { kind: 'whole', head, ignoredParams, read: () => readWhole(frames, stream) };
  }
}

async function readWhole(frames: EventFrames, stream: AnthropicStream): Promise<WholeOutcome> {
  const fold = new AnswerFold(stream.message);
  try {
    for await (const group of frames) {
      const outcome = fold.add(group);
      if (outcome !== undefined) return outcome;
    }
    // The frames just end if the caller aborted the call, and its own flag says why.
    return fold.failed({ kind: 'network', code: 'UND_ERR_ABORTED' });
  } catch (error) {
    return { kind: 'failed', signal: defectSignal(error) };
  }
}

function failed(head: ReplyHead | null, signal: Signal, ignoredParams: readonly string[]): ProviderReply {
  return { kind: 'failed', head, signal, ignoredParams };
}
