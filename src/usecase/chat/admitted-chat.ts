import type { ChatRequest } from '../../domain/chat/chat-request';
import type { RequestId } from '../../domain/kernel/ids';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';

/** A well-formed request of a caller who may make it. */
export type AdmittedChat = Readonly<{
  requestId: RequestId;
  tenant: Tenant;
  key: ApiKey;
  request: ChatRequest;
  receivedAtMs: number;
  options: CallerOptions;
}>;

/** What the caller's headers say about this interaction; null where nothing usable was said. */
export type CallerOptions = Readonly<{
  /** The caller's own limit, milliseconds: it bounds the deadline. */
  timeoutMs: number | null;
  /** `x-schneeai-replay: never`: the caller allows one call at most to reach a provider. */
  forbidsReplay: boolean;
  /** As it was sent: nothing stores or logs it. */
  idempotencyKey: string | null;
  service: string | null;
  feature: string | null;
  parentRequestId: string | null;
  clientRetryCount: number | null;
}>;
