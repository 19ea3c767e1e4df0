import type { ClosingRecord } from '../../../domain/audit/audit-record';
import type { Route } from '../../../domain/catalog/route';
import type { Attempt } from '../../../domain/interaction/attempt';
import { sha256 } from '../../runtime/sha256';

/** Of the form below. A gateway that doesn't know a form leaves its lines alone. */
const FORM = 1;
const HASH_CHARS = 64;

/** One closing record as a line of text: its hash, a space, and JSON, so that a line that was cut short or changed shows. */
export function lineOf(closing: ClosingRecord): string {
  const { lastAttempt } = closing;
  const kept = { ...closing, lastAttempt: lastAttempt === null ? null : onRecord(lastAttempt) };
  const json = JSON.stringify({ form: FORM, closing: kept });
  return `${sha256(json)} ${json}\n`;
}

/** Null: not a whole line of this form. */
export function closingOfLine(line: string): ClosingRecord | null {
  const json = line.slice(HASH_CHARS + 1);
  if (line.slice(0, HASH_CHARS) !== sha256(json)) return null;
  const { form, closing } = JSON.parse(json) as { form: unknown; closing: ClosingRecord };
  return form === FORM ? closing : null;
}

/** Neither the provider's prose, which may quote a prompt, nor what a channel's settings may hold: no row has them either. */
function onRecord(attempt: Attempt): Attempt {
  const route = withoutSettings(attempt.route);
  if (attempt.outcome.kind === 'served') return { ...attempt, route };
  return {
    ...attempt,
    route,
    outcome: { kind: 'failed', fault: { ...attempt.outcome.fault, providerError: null } },
  };
}

function withoutSettings(route: Route): Route {
  const { channel } = route;
  const options = { ...channel.options, headers: {}, organization: null, project: null };
  return { ...route, channel: { ...channel, baseUrl: '', credentialRef: '', options } };
}
