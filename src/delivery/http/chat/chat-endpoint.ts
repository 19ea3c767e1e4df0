import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '../../../domain/error/gateway-error';
import { err, ok, type Result } from '../../../domain/kernel/result';
import { hasScope, type ApiKey } from '../../../domain/tenant/api-key';
import type { Tenant } from '../../../domain/tenant/tenant';
import type { AdmitKey } from '../../../usecase/chat/admit-key';
import type { AdmittedChat } from '../../../usecase/chat/admitted-chat';
import type { CompleteChat } from '../../../usecase/chat/complete-chat';
import type { Configuration } from '../../../usecase/port/configuration';
import type { IdGenerator } from '../../../usecase/port/id-generator';
import { parseChatRequest } from '../../chat/chat-request-parser';
import type { FaultLog } from '../error/error-handler';
import { identifyCaller, type AuthenticationDeps } from '../middleware/identify-caller';
import { callerOptionsOf } from './caller-options';
import { readChatBody } from './chat-body';
import { discardRest } from './discard-rest';
import { HttpReply } from './http-reply';
import { setRateHeaders } from './rate-headers';
import { asksToProceed, tellToProceed } from './tell-to-proceed';

export type ChatEndpointDeps = AuthenticationDeps &
  Readonly<{
    configuration: Pick<Configuration, 'keyByHash' | 'tenant'>;
    admitKey: Pick<AdmitKey, 'execute'>;
    completeChat: Pick<CompleteChat, 'execute'>;
    ids: IdGenerator;
    maxBodyBytes: number;
    log: FaultLog;
  }>;

type Caller = Readonly<{ key: ApiKey; tenant: Tenant }>;

/**
 * `POST /v1/chat/completions`. It stands in front of the Express app: the app's work per request would cost more than all
 * of ours (PERFORMANCE).
 */
export class ChatEndpoint {
  constructor(private readonly deps: ChatEndpointDeps) {}

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { clock, ids, log } = this.deps;
    const requestId = ids.next('req');
    const receivedAtMs = clock.nowMs();
    res.setHeader('x-request-id', requestId);
    const reply = { requestId, receivedAtMs, nowMs: () => clock.nowMs() };
    try {
      const chat = await this.admit(req, res, { requestId, receivedAtMs });
      if (chat.ok) {
        const to = { ...reply, includeUsage: chat.value.request.includeUsage };
        await this.deps.completeChat.execute(chat.value, new HttpReply(res, to));
      } else if (chat.error !== 'client_gone') {
        refuse(res, reply, chat.error);
      }
    } catch (error) {
      log.error({
        message: 'request failed',
        requestId,
        method: 'POST',
        path: '/v1/chat/completions',
        error,
      });
      refuse(res, reply, { code: 'gateway_error' });
    }
  }

  /** The key goes before the body: who may not ask, or not any more, doesn't get to send megabytes. */
  private async admit(
    req: IncomingMessage,
    res: ServerResponse,
    received: Readonly<{ requestId: string; receivedAtMs: number }>,
  ): Promise<Result<AdmittedChat, GatewayError | 'client_gone'>> {
    const caller = this.caller(req);
    if (!caller.ok) return caller;
    const { id, rpm } = caller.value.key;
    if (rpm !== null) {
      const { rate, refused } = await this.deps.admitKey.execute(id, rpm);
      setRateHeaders(res, rate);
      if (refused !== null) return err(refused);
    }
    const options = callerOptionsOf(req.headers);
    if (!options.ok) return options;
    const proceed = (): void => tellToProceed(res);
    const body = await readChatBody(req, { maxBytes: this.deps.maxBodyBytes, proceed });
    if (!body.ok) return body;
    const request = parseChatRequest(body.value);
    if (!request.ok) return request;
    return ok({ ...received, ...caller.value, request: request.value, options: options.value });
  }

  private caller(req: IncomingMessage): Result<Caller, GatewayError> {
    const key = identifyCaller(req.headers, this.deps);
    if (!key.ok) return key;
    const tenant =
      key.value.tenantId === null ? undefined : this.deps.configuration.tenant(key.value.tenantId);
    if (tenant === undefined || !hasScope(key.value, 'chat')) {
      return err({ code: 'forbidden', message: `This key lacks the scope 'chat'.` });
    }
    return ok({ key: key.value, tenant });
  }
}

type RefusedReply = Readonly<{ requestId: string; receivedAtMs: number; nowMs: () => number }>;

function refuse(res: ServerResponse, to: RefusedReply, error: GatewayError): void {
  const { req } = res;
  // Who asked before sending his body may not send it now, and the connection would wait for it.
  if (!res.headersSent && !req.complete && asksToProceed(req)) res.setHeader('connection', 'close');
  new HttpReply(res, { ...to, includeUsage: false }).fail(error, []);
  discardRest(req);
}
