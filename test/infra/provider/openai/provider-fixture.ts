import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Channel } from '../../../../src/domain/catalog/channel';
import type { ModelContract } from '../../../../src/domain/catalog/model-contract';
import type { Route } from '../../../../src/domain/catalog/route';
import type { ChatRequest } from '../../../../src/domain/chat/chat-request';
import type { JsonObject, JsonValue } from '../../../../src/domain/kernel/json';
import { isJsonObject } from '../../../../src/domain/kernel/json';
import type { Frame } from '../../../../src/domain/stream/frame';
import { OpenAiChatProvider } from '../../../../src/infra/provider/openai/openai-provider';
import {
  CredentialSchemes,
  EnvironmentCredentials,
} from '../../../../src/infra/provider/transport/credential-resolver';
import { UpstreamTransport } from '../../../../src/infra/provider/transport/upstream-transport';
import type { ProviderCall, ProviderReply } from '../../../../src/usecase/port/chat-provider';
import type { RawReply } from './raw-upstream';
import { RawUpstream } from './raw-upstream';

export const CHANNEL_KEY = 'sk-canary-4f9a77c2d1e8b6a3';

/** The real adapter and SDK, against a raw upstream on loopback. */
export class ProviderBench {
  readonly upstream: RawUpstream;
  private readonly transport = new UpstreamTransport();
  private readonly provider: OpenAiChatProvider;
  activity = 0;

  private constructor(upstream: RawUpstream) {
    this.upstream = upstream;
    const environment = new EnvironmentCredentials({ UPSTREAM_KEY: CHANNEL_KEY });
    this.provider = new OpenAiChatProvider({
      upstream: this.transport,
      credentials: new CredentialSchemes(new Map([['env', environment]])),
      version: '1.2.3',
    });
  }

  static async start(): Promise<ProviderBench> {
    return new ProviderBench(await RawUpstream.start());
  }

  async stop(): Promise<void> {
    await this.transport.close();
    await this.upstream.stop();
  }

  send(body: JsonObject, overrides: CallOverrides = {}): Promise<ProviderReply> {
    const channel: Channel = {
      id: 'ch_1',
      provider: 'openai',
      kind: 'openai',
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
      },
      ...overrides.channel,
    };
    return this.provider.send({
      request: requestOf(body),
      route: { ...ROUTE, channel, contract: { ...ROUTE.contract, ...overrides.contract } },
      tenant: 'tenant_1',
      correlationId: 'req_1-1',
      unsupportedParams: overrides.unsupportedParams ?? 'ignore',
      abort: overrides.abort ?? new AbortController().signal,
      onActivity: () => this.activity++,
    });
  }

  /** Every frame of a streamed answer made of these pieces. */
  async frames(pieces: readonly (string | Uint8Array)[], reply: RawReply = {}): Promise<Frame[]> {
    this.upstream.will({ headers: EVENT_STREAM, pieces, ...reply });
    return collect(await this.send(STREAMED));
  }
}

export type CallOverrides = Readonly<{
  channel?: Partial<Channel>;
  contract?: Partial<ModelContract>;
  unsupportedParams?: ProviderCall['unsupportedParams'];
  abort?: ProviderCall['abort'];
}>;

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };
export const JSON_BODY = { 'content-type': 'application/json' };
export const WHOLE: JsonObject = { model: 'auto', messages: [{ role: 'user', content: 'Hi' }] };
export const STREAMED: JsonObject = { ...WHOLE, stream: true };

/** A content chunk as an event. */
export function content(text: string): string {
  return event({ delta: { content: text }, finish_reason: null });
}

export function finish(reason: string): string {
  return event({ delta: {}, finish_reason: reason });
}

export const DONE = 'data: [DONE]\n\n';

export function event(choice: JsonObject, members: JsonObject = {}): string {
  return `data: ${JSON.stringify(chunk(choice, members))}\n\n`;
}

export function chunk(choice: JsonObject, members: JsonObject = {}): JsonObject {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, ...choice }],
    ...members,
  };
}

export async function collect(reply: ProviderReply): Promise<Frame[]> {
  if (reply.kind !== 'stream') throw new Error(`expected a stream, got ${JSON.stringify(reply)}`);
  const frames: Frame[] = [];
  for await (const group of reply.frames) frames.push(...group);
  return frames;
}

/** What a caller reads: `delta.content` of every chunk, joined. */
export function spokenText(frames: readonly Frame[], member = 'content'): string {
  return deltas(frames)
    .map((delta) => (typeof delta[member] === 'string' ? delta[member] : ''))
    .join('');
}

export function deltas(frames: readonly Frame[]): JsonObject[] {
  return frames
    .flatMap((frame) => (frame.kind === 'chunk' ? (frame.chunk.choices as readonly JsonValue[]) : []))
    .flatMap((choice) => (isJsonObject(choice) && isJsonObject(choice.delta) ? [choice.delta] : []));
}

export type RecordedReply = Readonly<{ status: number; headers: Record<string, string>; body: Buffer }>;

/** A recorded answer of test/fixtures as it came over the wire. */
export function recorded(id: string): RecordedReply {
  const folder = join(__dirname, '../../../fixtures');
  const { response } = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')) as {
    response: {
      status: number;
      headers?: Record<string, string>;
      body?: JsonValue;
      body_file?: string;
    };
  };
  const file = response.body_file;
  const body =
    file === undefined
      ? Buffer.from(typeof response.body === 'string' ? response.body : JSON.stringify(response.body))
      : readFileSync(join(folder, id, '..', file));
  // The server frames and dates its answer by itself.
  const framing = ['transfer-encoding', 'content-length', 'connection', 'content-encoding', 'date'];
  const headers = Object.entries(response.headers ?? {}).filter(
    ([name]) => !framing.includes(name.toLowerCase()),
  );
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

function requestOf(body: JsonObject): ChatRequest {
  return {
    model: typeof body.model === 'string' ? body.model : '',
    stream: body.stream === true,
    includeUsage: false,
    body,
    needs: {} as ChatRequest['needs'],
  };
}

const ROUTE: Omit<Route, 'channel'> = {
  id: 'off_1',
  provider: 'openai',
  model: 'gpt-4o-mini',
  upstreamName: 'gpt-4o-mini-2024-07-18',
  price: null,
  contract: {} as ModelContract,
  enabled: true,
};
