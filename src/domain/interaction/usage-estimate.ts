import type { RequestNeeds } from '../catalog/request-needs';
import type { Route } from '../catalog/route';
import type { InputEstimate } from './attempt';
import { exactPico } from '../kernel/money';
import type { Fault } from '../resilience/fault';
import { NO_USAGE, type Usage } from './usage';

/** Characters per token, roughly, for text of any kind: good enough to charge an answer whose usage never came. */
const CHARS_PER_TOKEN = 4;

export type UsageEvidence = Readonly<{
  reported: Usage;
  estimatedInputTokens: number;
  /** Characters of output that came, whether or not they reached the caller. */
  outputChars: number;
}>;

/** The usage of a complete answer: what the provider reported, with an estimate for a count that it left out. */
export function servedUsage(evidence: UsageEvidence): Usage {
  const { reported, estimatedInputTokens, outputChars } = evidence;
  if (reported.inputTokens !== null && reported.outputTokens !== null) return reported;
  return {
    ...reported,
    inputTokens: reported.inputTokens ?? estimatedInputTokens,
    outputTokens: reported.outputTokens ?? tokensOf(outputChars),
    source: 'estimated',
  };
}

/**
 * The usage of an attempt that broke off. A caller who hangs up before the usage chunk is not free (DESIGN §7), and a
 * provider that had begun to answer bills what it said. Usage that came before the last output counts only what was out
 * by then, so the larger count is the honest one. An error is not billed, nor is a 200 that is no answer.
 */
export function failedUsage(fault: Fault, evidence: UsageEvidence): Usage {
  const { reported, outputChars } = evidence;
  const begun = outputChars > 0 || reported.source !== 'none';
  if (!begun && !isCutOff(fault)) return NO_USAGE;
  const outputTokens = Math.max(reported.outputTokens ?? 0, tokensOf(outputChars));
  return { ...servedUsage({ ...evidence, reported: { ...reported, outputTokens } }), source: 'estimated' };
}

/**
 * The provider was at it, and we or the network ended that: it has read the input, whatever else it did. Before the
 * headers that goes for a caller who hung up alone: a provider that is silent or can't be reached bills nothing.
 */
function isCutOff({ stage, abortedBy, requestSent, class: faultClass, code }: Fault): boolean {
  if (stage === 'before_headers') return abortedBy === 'caller_gone' && requestSent !== 'no';
  return abortedBy !== null || faultClass === 'network' || code === 'truncated';
}

function tokensOf(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** What an attempt is charged of which nothing was seen but its start, e.g. because our process was killed. Null: unknown. */
export function inputEstimateOf(
  { price }: Pick<Route, 'price'>,
  { estimatedInputTokens: inputTokens }: RequestNeeds,
): InputEstimate | null {
  const costPico = price === null ? null : exactPico(inputTokens * price.input);
  return costPico === null ? null : { inputTokens, costPico };
}
