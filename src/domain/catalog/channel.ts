import type { ChannelId, ProviderId } from '../kernel/ids';
import type { ProbeSchedule } from './probe-schedule';

/** Which wire format a channel speaks: Chat Completions, or Anthropic's Messages. */
export const ADAPTER_KINDS = ['openai', 'anthropic'] as const;
export type AdapterKind = (typeof ADAPTER_KINDS)[number];

/** One account or endpoint at a provider. */
export type Channel = Readonly<{
  id: ChannelId;
  provider: ProviderId;
  kind: AdapterKind;
  baseUrl: string;
  /** Where the credential is (`env:NAME`, `file:/path`), never the credential itself. */
  credentialRef: string;
  /** E.g. `us`, `eu`, `eu-central-1`, `jp`. */
  region: string;
  group: string;
  /** Lower goes first. */
  priority: number;
  enabled: boolean;
  options: ChannelOptions;
}>;

export const OPENAI_AUTHS = ['bearer', 'api-key'] as const;
export type OpenAiAuth = (typeof OPENAI_AUTHS)[number];

export type ChannelOptions = Readonly<{
  /** Extra headers that the operator configured, sent on every call of this channel. */
  headers: Readonly<Record<string, string>>;
  organization: string | null;
  project: string | null;
  /** The `anthropic-version` header; null: the adapter's pin (WIRE §8). */
  anthropicVersion: string | null;
  /** How an Anthropic credential is sent; exactly one of both. */
  anthropicAuth: 'x-api-key' | 'bearer';
  /** How a credential is sent over Chat Completions; `api-key` is Azure's. Absent: `bearer`. */
  openAiAuth?: OpenAiAuth;
  /** Azure's `api-version`, sent as a query parameter over Chat Completions. Absent or null: none. */
  apiVersion?: string | null;
  /** Absent or null: the channel is never probed. */
  probe?: ProbeSchedule | null;
}>;
