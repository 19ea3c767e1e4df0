import type { RequestListener } from 'node:http';
import type { DependencyContainer } from 'tsyringe';
import { ChatEndpoint } from '../delivery/http/chat/chat-endpoint';
import { createApp, createListener } from '../delivery/http/create-app';
import type { FaultLog } from '../delivery/http/error/error-handler';
import type { Readiness } from '../delivery/http/operations/operations-router';
import { Metrics } from '../infra/telemetry/metrics';
import { ArchiveInteractions } from '../usecase/archive/archive-interactions';
import { ListModels } from '../usecase/catalog/list-models';
import { AdmitKey } from '../usecase/chat/admit-key';
import { CompleteChat } from '../usecase/chat/complete-chat';
import { ReadStatus } from '../usecase/health/read-status';
import type { SandboxControl } from '../usecase/port/sandbox-control';
import { TOKEN } from './token';
import { adminUseCases } from './usecase-registrations';

export type HttpParts = Readonly<{ readiness: Readiness; sandbox: SandboxControl | null }>;

/** The gateway's request listener over everything that the container holds. */
export function httpListener(c: DependencyContainer, { readiness, sandbox }: HttpParts): RequestListener {
  const configuration = c.resolve(TOKEN.configuration);
  const ids = c.resolve(TOKEN.ids);
  const authentication = { configuration, secrets: c.resolve(TOKEN.secrets), clock: c.resolve(TOKEN.clock) };
  const log = faultLog(c);
  const chat = new ChatEndpoint({
    ...authentication,
    completeChat: c.resolve(CompleteChat),
    archive: c.resolve(ArchiveInteractions),
    admitKey: new AdmitKey(c.resolve(TOKEN.rates)),
    ids,
    maxBodyBytes: c.resolve(TOKEN.config).maxBodyBytes,
    log,
  });
  const app = createApp({
    ids,
    log,
    admin: { ...authentication, useCases: adminUseCases(c), author: c.resolve(TOKEN.changeAuthor) },
    models: { ...authentication, listModels: c.resolve(ListModels) },
    operations: {
      readiness,
      sharing: c.resolve(TOKEN.sharing),
      metrics: c.resolve(Metrics).registry,
      sandbox: sandbox !== null,
    },
    status: { readStatus: c.resolve(ReadStatus), sandbox: sandbox !== null },
    sandbox: sandbox === null ? null : { ...authentication, sandbox },
  });
  return createListener(chat, app);
}

function faultLog(c: DependencyContainer): FaultLog {
  const logger = c.resolve(TOKEN.logger);
  return { error: ({ message, error, ...where }) => logger.error({ ...where, err: error }, message) };
}
