import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import type { ExplainRouting } from '../../usecase/routing/explain-routing';
import { NOTHING_SUPPOSED, type Explanation } from '../../usecase/routing/explanation';
import { parseChatRequest } from '../chat/chat-request-parser';
import { presentExplanation } from '../http/admin/routing/explanation-presenter';
import { messageOf } from '../http/error/error-message';
import type { CommandOutcome } from './command-outcome';
import type { ExplainOptions } from './explain-options';
import { explanationText } from './explanation-printer';

/** A request of whose body only the model matters. */
const MESSAGES = [{ role: 'user', content: 'Hello' }];

/** `schneeai explain`: what would happen to a request, without asking anybody. */
export async function explainCommand(
  options: ExplainOptions,
  explain: ExplainRouting,
): Promise<CommandOutcome> {
  const explained = await explanationOf(options, explain);
  if (!explained.ok) return { exitCode: 2, output: `${messageOf(explained.error)}\n` };
  const output =
    options.format === 'json'
      ? `${JSON.stringify(presentExplanation(explained.value), null, 2)}\n`
      : explanationText(explained.value);
  return { exitCode: explained.value.first.kind === 'attempt' ? 0 : 1, output };
}

async function explanationOf(
  { tenant, policy, model, down, stream }: ExplainOptions,
  explain: ExplainRouting,
): Promise<Result<Explanation, GatewayError>> {
  const request = parseChatRequest({ model, messages: MESSAGES, stream: stream === 'streamed' });
  if (!request.ok) return request;
  const providers = new Map(down.map((provider) => [provider, { kind: 'open' } as const]));
  return explain.execute({
    tenant,
    policy,
    request: request.value,
    keyGroups: [],
    groupStrategy: null,
    supposing: { ...NOTHING_SUPPOSED, providers },
    draft: null,
    side: 'ordinary',
  });
}
