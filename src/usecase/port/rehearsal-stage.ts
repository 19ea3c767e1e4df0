import type { AuditRecord } from '../../domain/audit/audit-record';
import type { Catalog } from '../../domain/catalog/catalog';
import type { ChannelId } from '../../domain/kernel/ids';
import type { JsonObject } from '../../domain/kernel/json';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { Tenant } from '../../domain/tenant/tenant';

/** A whole gateway of its own, with simulated providers behind its real adapters, on which drills are performed. */
export interface RehearsalStage {
  /** Sets the scene: the tenant and its policies as given, closed circuits, and providers that answer and were never called. */
  ready(setting: Setting): Promise<void>;
  /** What the provider behind a channel does with its next calls, one act each; the last act stands. */
  direct(channel: ChannelId, acts: readonly ProviderAct[]): void;
  /** Sends one request as the tenant's app, and tells what could be seen of it when all of it was over. */
  perform(request: CallerRequest): Promise<Performance>;
  /** The same while the store takes no write. */
  performWithoutStore(request: CallerRequest): Promise<Performance>;
}

/** Whose policy is rehearsed: a copy of what the real store holds. */
export type Setting = Readonly<{
  tenant: Tenant;
  catalog: Catalog;
  /** All policies of the tenant. */
  policies: readonly PolicyVersion[];
  /** The one that is rehearsed; it is among them. */
  policy: PolicyVersion;
  /** A model that a caller can name so that this policy answers. */
  requestedModel: string;
  /** When the drill began: exclusions can have an end. */
  nowMs: number;
  /** The gateway's own limit on a deadline, milliseconds. */
  maxDeadlineMs: number;
}>;

export type ProviderAct =
  | Readonly<{ kind: 'answers' }>
  /** 503 before any header of success. */
  | Readonly<{ kind: 'is_down' }>
  | Readonly<{ kind: 'rate_limits'; retryAfterSeconds: number }>
  /** 400: the request is at fault. */
  | Readonly<{ kind: 'refuses_request' }>
  /** Waits there until the caller's connection is gone. */
  | Readonly<{ kind: 'holds'; at: 'before_headers' | 'after_first_output' }>
  /** Closes the connection after some output. */
  | Readonly<{ kind: 'breaks_off' }>;

export type CallerRequest = Readonly<{
  /** A document, or text that isn't one. */
  body: JsonObject | string;
  /** When the caller hangs up; absent: he stays. */
  leaves?: 'before_headers' | 'in_backoff' | 'mid_stream';
}>;

/** What could be seen of one request, at the caller's end, at the providers', and in the audit log. */
export type Performance = Readonly<{
  /** Null: the caller hung up before it was complete. */
  answer: SeenAnswer | null;
  /** Records that appeared, with their ledgers; those of other requests are not among them. */
  records: readonly AuditRecord[];
  /** Calls that reached a provider, channel by channel. */
  calls: readonly SeenCall[];
}>;

export type SeenAnswer = Readonly<{
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The document of an unstreamed answer; null: there was none. */
  document: JsonObject | null;
  /** The events of a stream, `[DONE]` left out; empty for an unstreamed answer. */
  events: readonly JsonObject[];
  /** How the answer ended: a document, a stream with its `[DONE]`, or a stream without. */
  form: 'document' | 'done' | 'not_done';
}>;

export type SeenCall = Readonly<{
  channel: ChannelId;
  /** As it was asked for, under its name at the provider. */
  upstreamName: string;
  body: JsonObject;
  /** `by_gateway`: the gateway closed the connection before the answer was over. */
  ended: 'complete' | 'by_gateway' | 'by_provider' | 'open';
  /** Time from the caller's leaving to the end of the call, milliseconds; null: he didn't leave. */
  endedAfterLeavingMs: number | null;
  /** What the provider bills for it; null: nothing. */
  charge: Readonly<{ inputTokens: number; outputTokens: number }> | null;
}>;
