import { isServedAs } from '../../domain/catalog/served-model';
import type { Check, CheckCall, Finding, SpokenAnswer, Subject } from './check';
import { inconclusive, judged } from './finding';

const messages = [{ role: 'user', content: 'Reply with the single word OK.' }];

/** A whole answer: that there is one, of which model, and that its usage is told. */
export const ANSWER_CHECK: Check = {
  names: ['answer', 'identity', 'usage'],
  isOffered: () => true,
  run: async (subject, asking) => {
    const call = await asking.ask({ messages });
    return [judged('answer', call, spoken), identity(call, subject), judged('usage', call, usageTold)];
  },
};

/** A streamed answer, and its usage. */
export const STREAMING_CHECK: Check = {
  names: ['streaming', 'stream_usage'],
  isOffered: ({ streaming }) => streaming,
  run: async (_subject, asking) => {
    const call = await asking.ask({ messages, stream: true });
    return [judged('streaming', call, spoken), judged('stream_usage', call, usageTold)];
  },
};

function identity(call: CheckCall, { names }: Subject): Finding {
  if (call.kind === 'answered' && call.answer.model === null) {
    return inconclusive('identity', call, 'model_not_named');
  }
  return judged('identity', call, ({ model }) => (isServedAs(model ?? '', names) ? null : 'another_model'));
}

function spoken({ text }: SpokenAnswer): string | null {
  return text.trim() === '' ? 'no_output' : null;
}

function usageTold({ usage }: SpokenAnswer): string | null {
  return usage.inputTokens === null || usage.outputTokens === null ? 'no_usage' : null;
}
