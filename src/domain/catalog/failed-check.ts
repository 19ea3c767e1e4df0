import { utcInstant } from '../kernel/utc-instant';
import type { ContractMismatch } from './contract';
import type { CheckName, CheckResult } from './offering-checks';
import type { RequestNeeds } from './request-needs';

/** Which requests need what was checked, and the field by which they ask for it; null: none does. */
type Need = Readonly<{ param: string; isNeeded: (needs: RequestNeeds) => boolean }> | null;

const NEEDS: Readonly<Record<CheckName, Need>> = {
  answer: { param: 'stream', isNeeded: ({ streaming }) => !streaming },
  // Whoever names a model wants that one.
  identity: { param: 'model', isNeeded: () => true },
  // The gateway estimates what isn't reported, so that no request fails of it.
  usage: null,
  streaming: { param: 'stream', isNeeded: ({ streaming }) => streaming },
  stream_usage: { param: 'stream_options', isNeeded: ({ streamUsage }) => streamUsage === true },
  tools: { param: 'tools', isNeeded: ({ tools }) => tools },
  tool_results: { param: 'tools', isNeeded: ({ tools }) => tools },
  forced_tool_choice: { param: 'tool_choice', isNeeded: ({ forcedToolChoice }) => forcedToolChoice },
  json_schema: { param: 'response_format', isNeeded: ({ jsonSchema }) => jsonSchema },
  limits: { param: 'max_completion_tokens', isNeeded: ({ maxOutputTokens }) => maxOutputTokens !== null },
  errors: null,
};

/** The first failed check of something that the request needs; null: there is none. What was never checked fails nothing. */
export function failedCheckOf(needs: RequestNeeds, failed: readonly CheckResult[]): ContractMismatch | null {
  for (const result of failed) {
    const need = NEEDS[result.check];
    if (need?.isNeeded(needs) === true) return { param: need.param, message: messageOf(result) };
  }
  return null;
}

function messageOf({ check, atMs, code }: CheckResult): string {
  const why = code === null ? '' : ` (${code})`;
  return `the check '${check}' of this offering failed at ${utcInstant(atMs)}${why}`;
}
