import type { AdapterKind } from '../../domain/catalog/channel';
import type { FaultClass } from '../../domain/resilience/fault';
import type { Asking, Check, CheckCall, Finding, SpokenAnswer } from './check';
import { faulty, inconclusive, judged } from './finding';
import { parsedObject } from './parsed-object';

const FORMAT = {
  type: 'json_schema',
  json_schema: {
    name: 'sum',
    strict: true,
    schema: {
      type: 'object',
      properties: { sum: { type: 'integer' } },
      required: ['sum'],
      additionalProperties: false,
    },
  },
};

/** An answer that has to keep to a schema which its question doesn't mention. */
export const JSON_SCHEMA_CHECK: Check = {
  names: ['json_schema'],
  isOffered: ({ jsonSchema }) => jsonSchema,
  run: async (_subject, asking) => {
    const messages = [{ role: 'user', content: 'What is 2 + 3?' }];
    const call = await asking.ask({ messages, response_format: FORMAT });
    return [judged('json_schema', call, keepsSchema)];
  },
};

function keepsSchema({ text }: SpokenAnswer): string | null {
  const value = parsedObject(text);
  const isSum = value !== null && Number.isInteger(value.sum) && Object.keys(value).length === 1;
  return isSum ? null : 'schema_not_kept';
}

/** The smallest limit that every provider takes. */
const FEW_TOKENS = 16;
/** A text of so many tokens is shorter than this in any language that is counted in words. */
const FEW_TOKENS_IN_CHARS = 160;

/** An answer that is longer than it may be. */
export const LIMITS_CHECK: Check = {
  names: ['limits'],
  isOffered: () => true,
  run: async (_subject, asking) => {
    const messages = [
      {
        role: 'user',
        content: 'Count from one to one hundred in words, one word per line, and stop for nothing.',
      },
    ];
    return [limits(await asking.ask({ messages }, FEW_TOKENS))];
  },
};

function limits(call: CheckCall): Finding {
  if (call.kind === 'failed') return faulty('limits', call);
  const { finishReason, text } = call.answer;
  if (finishReason === 'length') return judged('limits', call, () => null);
  const isShort = text.length <= FEW_TOKENS_IN_CHARS;
  return isShort
    ? inconclusive('limits', call, 'limit_not_reached')
    : judged('limits', call, () => 'limit_not_kept');
}

/** Sends what is wrong by any reading of the wire. Messages are made by us, so there only the model can be missing. */
const SEND_WRONG: Readonly<Record<AdapterKind, (asking: Asking) => Promise<CheckCall>>> = {
  openai: (asking) => asking.send({ messages: [{ role: 'nobody', content: 'Hi' }] }),
  anthropic: (asking) => asking.send({ messages: [{ role: 'user', content: 'Hi' }] }, ''),
};

/** What a wrong request has to become: an error that goes back to its caller, and starts no fallback. */
const RETURNED: readonly FaultClass[] = ['caller', 'contract'];

/** An error that can be told from weather. */
export const ERRORS_CHECK: Check = {
  names: ['errors'],
  isOffered: () => true,
  run: async ({ kind }, asking) => [errors(await SEND_WRONG[kind](asking))],
};

function errors(call: CheckCall): Finding {
  if (call.kind === 'answered') return judged('errors', call, () => 'accepted');
  const { status, fault } = call;
  if (status !== null && status >= 400 && status < 500 && RETURNED.includes(fault.class)) {
    return { check: 'errors', verdict: 'passed', status, code: null };
  }
  // A status of 500 for a wrong request is no weather: it would be retried, and count against the route.
  if (fault.class === 'server_error')
    return { check: 'errors', verdict: 'failed', status, code: fault.class };
  return faulty('errors', call);
}
