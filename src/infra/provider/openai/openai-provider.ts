import type OpenAI from 'openai';
import type { JsonObject } from '../../../domain/kernel/json';
import type { Signal } from '../../../domain/resilience/signal';
import type {
  ChatProvider,
  ProviderCall,
  ProviderReply,
  ReplyHead,
  WholeOutcome,
} from '../../../usecase/port/chat-provider';
import type { ChannelClient, ChannelClients } from '../transport/channel-clients';
import type { CredentialResolver } from '../transport/credential-resolver';
import { signalOfStatus } from '../transport/error-body';
import { defectSignal, EventFrames } from '../transport/event-frames';
import { networkSignal } from '../transport/network-signal';
import { replyHead, retryHints } from '../transport/reply-head';
import { signalOfThrown } from '../transport/thrown-signal';
import type { UpstreamHead } from '../transport/upstream-exchange';
import { UpstreamExchange } from '../transport/upstream-exchange';
import type { UpstreamTransport } from '../transport/upstream-transport';
import { MAX_ANSWER_BYTES, readWholeBody } from '../transport/whole-body';
import { foldStream, isEventStream } from './fold-stream';
import { readCompletion } from './openai-answer';
import { openAiClients } from './openai-client';
import { choiceCount, upstreamBody } from './openai-request';
import type { AnswerContext } from './openai-stream';
import { OpenAiStream } from './openai-stream';

export type OpenAiChatProviderDeps = Readonly<{
  upstream: UpstreamTransport;
  credentials: CredentialResolver;
  /** Ours, for the `user-agent`. */
  version: string;
}>;

/** Chat Completions upstreams, as the official `openai` client addresses and authenticates them. */
export class OpenAiChatProvider implements ChatProvider {
  private readonly clients: ChannelClients<OpenAI>;

  constructor(private readonly deps: OpenAiChatProviderDeps) {
    this.clients = openAiClients(deps.version);
  }

  async send(call: ProviderCall): Promise<ProviderReply> {
    const exchange = new UpstreamExchange(call.abort);
    const { body, ignoredParams } = upstreamBody(call.request, call.route);
    const [lost] = ignoredParams;
    if (lost !== undefined && call.unsupportedParams === 'reject')
      return failed(null, inexpressible(lost), []);
    try {
      const { channel } = call.route;
      const credential = await this.deps.credentials.resolve(channel.credentialRef);
      if (!credential.ok) return failed(null, credential.error, ignoredParams);
      const client = this.clients.of(channel, credential.value);
      await this.post(client, { call, body }, exchange);
      return await replyOf(client, { call, ignoredParams }, exchange);
    } catch (error) {
      return failed(null, signalOfThrown(error, exchange), ignoredParams);
    }
  }

  private async post(
    client: ChannelClient<OpenAI>,
    { call, body }: Readonly<{ call: ProviderCall; body: JsonObject }>,
    exchange: UpstreamExchange,
  ): Promise<void> {
    await this.deps.upstream.send(exchange, await client.headOf('chat'), {
      headers: {
        accept: call.request.stream ? 'text/event-stream' : 'application/json',
        'x-client-request-id': call.correlationId,
      },
      body: JSON.stringify(body),
    });
  }
}

/** The policy wants a field refused rather than left out; another route may take it. */
function inexpressible(param: string): Signal {
  const message = `${param} can't be expressed on this route, and the policy rejects what would be ignored`;
  return { kind: 'local', cause: 'untranslatable', param, message };
}

async function replyOf(
  { redactor }: ChannelClient<OpenAI>,
  { call, ignoredParams }: Readonly<{ call: ProviderCall; ignoredParams: readonly string[] }>,
  exchange: UpstreamExchange,
): Promise<ProviderReply> {
  const upstream = exchange.head;
  const head = replyHead(upstream, 'openai', redactor);
  const signal = await signalOfStatus(exchange, redactor);
  if (signal !== null) return failed(head, signal, ignoredParams);
  const context = contextOf(call, upstream, redactor);
  return call.request.stream
    ? {
        kind: 'stream',
        head,
        ignoredParams,
        frames: new EventFrames(exchange, new OpenAiStream(context), call.onActivity),
      }
    : { kind: 'whole', head, ignoredParams, read: () => readWhole(exchange, context, call.onActivity) };
}

function contextOf(
  { request }: ProviderCall,
  { headers }: UpstreamHead,
  redactor: AnswerContext['redactor'],
): AnswerContext {
  return { redactor, hints: retryHints(headers), choices: choiceCount(request) };
}

async function readWhole(
  exchange: UpstreamExchange,
  context: AnswerContext,
  onActivity: () => void,
): Promise<WholeOutcome> {
  try {
    const body = await readWholeBody(exchange, MAX_ANSWER_BYTES, onActivity);
    switch (body.kind) {
      case 'text':
        return isEventStream(body.text) ? foldStream(body.text, context) : readCompletion(body.text, context);
      case 'oversized':
        return { kind: 'failed', signal: { kind: 'malformed', what: 'oversized_frame' } };
      case 'broken':
        return { kind: 'failed', signal: networkSignal(body.error) };
      case 'cut':
        // The caller aborted the call, and its own flag says why.
        return { kind: 'failed', signal: { kind: 'network', code: 'UND_ERR_ABORTED' } };
    }
  } catch (error) {
    return { kind: 'failed', signal: defectSignal(error) };
  }
}

function failed(head: ReplyHead | null, signal: Signal, ignoredParams: readonly string[]): ProviderReply {
  return { kind: 'failed', head, signal, ignoredParams };
}
