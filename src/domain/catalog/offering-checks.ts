import type { ChannelId, OfferingId } from '../kernel/ids';
import type { Channel } from './channel';
import type { Offering } from './offering';

/** What `channels/{c}/verify` asks of an offering (DESIGN §9), in the order in which it is asked. */
export const CHECK_NAMES = [
  'answer',
  'identity',
  'usage',
  'streaming',
  'stream_usage',
  'tools',
  'tool_results',
  'forced_tool_choice',
  'json_schema',
  'limits',
  'errors',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** `inconclusive`: the call failed by weather (network, 5xx, 429, our account), so that it shows nothing of the contract. */
export type CheckVerdict = 'passed' | 'failed' | 'inconclusive';

/** What one check saw. Evidence only: never anything of what was said. */
export type CheckResult = Readonly<{
  check: CheckName;
  verdict: CheckVerdict;
  atMs: number;
  /** HTTP status of the call that decided; null: there was no answer. */
  status: number | null;
  /** Why it didn't pass: our word, or the code of the provider's error. */
  code: string | null;
}>;

/** What the checks were about. Once it changes they say nothing any more. */
export type CheckSubject = Readonly<{ channel: ChannelId; baseUrl: string; upstreamName: string }>;

/** The last known result of each check of an offering. */
export type OfferingChecks = Readonly<{
  offering: OfferingId;
  subject: CheckSubject;
  results: readonly CheckResult[];
}>;

export function subjectOf({ upstreamName }: Pick<Offering, 'upstreamName'>, channel: Channel): CheckSubject {
  return { channel: channel.id, baseUrl: channel.baseUrl, upstreamName };
}

/** Whether what was checked then is what the catalog has now. */
export function isAbout(checks: OfferingChecks, { channel, baseUrl, upstreamName }: CheckSubject): boolean {
  const { subject } = checks;
  return subject.channel === channel && subject.baseUrl === baseUrl && subject.upstreamName === upstreamName;
}

/** The later results in place of the earlier ones, except that an inconclusive one takes back nothing that was seen. */
export function mergeResults(
  earlier: readonly CheckResult[],
  later: readonly CheckResult[],
): readonly CheckResult[] {
  return CHECK_NAMES.flatMap((name) => {
    const before = earlier.find(({ check }) => check === name);
    const now = later.find(({ check }) => check === name);
    const kept = now === undefined || (now.verdict === 'inconclusive' && before !== undefined) ? before : now;
    return kept === undefined ? [] : [kept];
  });
}

export function failedResults({ results }: OfferingChecks): readonly CheckResult[] {
  return results.filter(({ verdict }) => verdict === 'failed');
}
