import type { Verdict } from './fault-class';

type StatusRow = Readonly<{ statuses: readonly number[] }> & Verdict;

/** FAILURES §3.1: what a status means at any provider when no code says more. */
export const STATUS_TABLE: readonly StatusRow[] = [
  { statuses: [400], class: 'caller' },
  // Always ours: the caller's key was checked by us.
  { statuses: [401], class: 'credential', accountEvidence: true },
  { statuses: [402], class: 'credential', accountEvidence: true },
  // Without a code (a WAF's page) no proof: one caller's content must not close a channel for all.
  { statuses: [403], class: 'credential' },
  // The catalog named the model, so the caller did nothing wrong (DESIGN §6).
  { statuses: [404], class: 'contract' },
  { statuses: [405, 406, 410, 415, 421, 426, 431], class: 'caller' },
  { statuses: [408], class: 'timeout' },
  { statuses: [409], class: 'caller' },
  { statuses: [413], class: 'contract' },
  { statuses: [422], class: 'caller' },
  { statuses: [424], class: 'server_error' },
  { statuses: [425, 429], class: 'rate_limited' },
  { statuses: [498], class: 'server_error' },
  // A 499 that we caused is an abort of ours and never gets here.
  { statuses: [499], class: 'server_error' },
  { statuses: [500, 502, 503, 504], class: 'server_error' },
  { statuses: [501, 505, 511], class: 'server_error', code: 'setup', retryable: false },
  { statuses: [520, 521, 522, 523, 524, 530], class: 'server_error' },
  { statuses: [525, 526], class: 'server_error', code: 'setup', retryable: false },
  { statuses: [529], class: 'server_error', code: 'overloaded' },
];

/** The verdict on a status alone. Redirects are not followed, so a 3xx is no answer at all. */
export function verdictOfStatus(status: number): Verdict {
  const row = STATUS_TABLE.find(({ statuses }) => statuses.includes(status));
  if (row !== undefined) return row;
  if (status >= 400 && status <= 499) return { class: 'caller' };
  if (status >= 500 && status <= 599) return { class: 'server_error' };
  return { class: 'malformed', code: 'unexpected_status' };
}
