import type { AnswerBehaviour, Behaviour } from '../../src/infra/simulator/behaviour';
import { asObject, type JsonValue } from '../../src/infra/simulator/json-value';
import type { Draws } from '../support/money/draws';

/** How often a simulated provider does what to a call, compared with the rest. */
const FAULT_WEIGHTS = {
  none: 120,
  // Of a long question it makes a stream of some seconds, so that there is always one to be interrupted.
  slow: 28,
  usage_withheld: 8,
  status_500: 6,
  status_503: 8,
  status_529: 4,
  status_429: 2,
  status_400: 2,
  reset: 4,
  hang: 1,
  garbage: 2,
  half_an_answer: 2,
  error_before_output: 4,
  cut_before_output: 4,
  cut_after_output: 5,
  ended_after_output: 3,
  silent_after_output: 1,
  // Only when the run asks for it.
  account: 0,
} as const;

export type ProviderFault = keyof typeof FAULT_WEIGHTS;

/** What is no fault, though it is harder than the usual. */
const HARMLESS: readonly ProviderFault[] = ['none', 'slow', 'usage_withheld'];

export const BEHAVIOURS: Readonly<Record<ProviderFault, Behaviour>> = {
  none: { kind: 'answer', chunkDelayMs: 2 },
  slow: { kind: 'answer', delayMs: 50, chunkDelayMs: 100 },
  usage_withheld: { kind: 'answer', usage: null },
  status_500: { kind: 'status', status: 500 },
  status_503: { kind: 'status', status: 503 },
  status_529: { kind: 'status', status: 529 },
  status_429: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  status_400: { kind: 'status', status: 400 },
  reset: { kind: 'reset' },
  hang: { kind: 'hang' },
  garbage: { kind: 'garbage', form: 'html' },
  half_an_answer: { kind: 'garbage', form: 'half_json' },
  error_before_output: broken({ after: 'preamble', by: 'error' }),
  cut_before_output: broken({ after: 'preamble', by: 'close' }),
  cut_after_output: broken({ after: 3, by: 'close' }),
  ended_after_output: broken({ after: 2, by: 'end' }),
  silent_after_output: broken({ after: 1, by: 'stall' }),
  account: { kind: 'status', status: 401 },
};

function broken(interruption: NonNullable<AnswerBehaviour['interruption']>): Behaviour {
  return { kind: 'answer', interruption };
}

export function faultOf(body: JsonValue | undefined, draws: Draws): ProviderFault {
  const fault = draws.weighted(FAULT_WEIGHTS);
  const isStream = asObject(body)?.['stream'] === true;
  // Half a body that ends as if it were whole is no answer of a model, and on no bill.
  return fault === 'ended_after_output' && !isStream ? 'half_an_answer' : fault;
}

export function isFault(fault: ProviderFault): boolean {
  return !HARMLESS.includes(fault);
}
