import type { IncomingMessage, ServerResponse } from 'node:http';
import { termInForce } from '../../../domain/archive/archive-term';
import type { GatewayError } from '../../../domain/error/gateway-error';
import { err, ok, type Result } from '../../../domain/kernel/result';
import { hasScope, type ApiKey } from '../../../domain/tenant/api-key';
import type { Tenant } from '../../../domain/tenant/tenant';
import type { ArchiveInteractions } from '../../../usecase/archive/archive-interactions';
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
import { HttpReply, type ReplyTo } from './http-reply';
import { setRateHeaders } from './rate-headers';
import { asksToProceed, tellToProceed } from './tell-to-proceed';
import { Transcript } from './transcript';

export type ChatEndpointDeps = AuthenticationDeps &
  Readonly<{
    configuration: Pick<Configuration, 'keyByHash' | 'tenant'>;
    admitKey: Pick<AdmitKey, 'execute'>;
    archive: Pick<ArchiveInteractions, 'keep'>;
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
        await this.serve(chat.value, new HttpReply(res, replyTo(chat.value, reply)));
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

  private async serve(chat: AdmittedChat, reply: HttpReply): Promise<void> {
    await this.deps.completeChat.execute(chat, reply);
    // It was archived when it was given first.
    if (reply.isRepeat) return;
    const { requestId, receivedAtMs, tenant, request } = chat;
    const term = termInForce(tenant, receivedAtMs);
    if (term === null) return;
    const { body } = request;
    this.deps.archive.keep({ requestId, tenant: tenant.id, term, body, answer: reply.written });
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

type Replier = Omit<ReplyTo, 'includeUsage' | 'transcript'>;

/** Only a streamed answer has to be kept while it is given, and only if somebody may ask for it later. */
function replyTo({ request, options, tenant }: AdmittedChat, to: Replier): ReplyTo {
  const { includeUsage } = request;
  const isKept = options.idempotencyKey !== null || termInForce(tenant, to.receivedAtMs) !== null;
  if (!isKept || !request.stream) return { ...to, includeUsage };
  return { ...to, includeUsage, transcript: new Transcript() };
}

function refuse(res: ServerResponse, to: Replier, error: GatewayError): void {
  const { req } = res;
  // Who asked before sending his body may not send it now, and the connection would wait for it.
  if (!res.headersSent && !req.complete && asksToProceed(req)) res.setHeader('connection', 'close');
  new HttpReply(res, { ...to, includeUsage: false }).fail(error, []);
  discardRest(req);
}
