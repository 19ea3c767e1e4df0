import type { JsonValue } from '../../../src/domain/kernel/json';
import type { FaultClass } from '../../../src/domain/resilience/fault';
import { NO_HINTS } from '../../../src/domain/resilience/signal';
import type { AbortCause, MalformedAnswer, ProviderErrorSignal } from '../../../src/domain/resilience/signal';

/** An answer with an error, without headers that bear on a retry. */
export function answered(status: number, body: JsonValue | null = null): ProviderErrorSignal {
  return { kind: 'provider_error', status, body, hints: NO_HINTS };
}

export type StatusRow = readonly [status: number, faultClass: FaultClass, note: StatusNote];
/** `setup`: never on this route again. `proof`: the account is at fault for sure. */
type StatusNote = 'plain' | 'setup' | 'proof';

/** FAILURES §3.1 with an empty body or a page of HTML; a 404 as DESIGN §6 has it. */
export const STATUS_ROWS: readonly StatusRow[] = [
  [400, 'caller', 'plain'],
  [401, 'credential', 'proof'],
  [402, 'credential', 'proof'],
  [403, 'credential', 'plain'],
  [404, 'contract', 'plain'],
  [405, 'caller', 'plain'],
  [406, 'caller', 'plain'],
  [407, 'caller', 'plain'],
  [408, 'timeout', 'plain'],
  [409, 'caller', 'plain'],
  [410, 'caller', 'plain'],
  [413, 'contract', 'plain'],
  [415, 'caller', 'plain'],
  [421, 'caller', 'plain'],
  [422, 'caller', 'plain'],
  [424, 'server_error', 'plain'],
  [425, 'rate_limited', 'plain'],
  [426, 'caller', 'plain'],
  [429, 'rate_limited', 'plain'],
  [431, 'caller', 'plain'],
  [451, 'caller', 'plain'],
  [498, 'server_error', 'plain'],
  [499, 'server_error', 'plain'],
  [500, 'server_error', 'plain'],
  [501, 'server_error', 'setup'],
  [502, 'server_error', 'plain'],
  [503, 'server_error', 'plain'],
  [504, 'server_error', 'plain'],
  [505, 'server_error', 'setup'],
  [507, 'server_error', 'plain'],
  [511, 'server_error', 'setup'],
  [520, 'server_error', 'plain'],
  [521, 'server_error', 'plain'],
  [522, 'server_error', 'plain'],
  [523, 'server_error', 'plain'],
  [524, 'server_error', 'plain'],
  [525, 'server_error', 'setup'],
  [526, 'server_error', 'setup'],
  [529, 'server_error', 'plain'],
  [530, 'server_error', 'plain'],
  [100, 'malformed', 'plain'],
  [200, 'malformed', 'plain'],
  [301, 'malformed', 'plain'],
  [600, 'malformed', 'plain'],
];

export type NetworkRow = readonly [
  code: string,
  faultClass: FaultClass,
  sent: 'no' | 'maybe' | 'yes',
  again: 'retryable' | 'not retryable',
];

/** FAILURES §3.3, before the headers. */
export const NETWORK_ROWS: readonly NetworkRow[] = [
  ['ENOTFOUND', 'network', 'no', 'retryable'],
  ['EAI_AGAIN', 'network', 'no', 'retryable'],
  ['ECONNREFUSED', 'network', 'no', 'retryable'],
  ['EHOSTUNREACH', 'network', 'no', 'retryable'],
  ['ENETUNREACH', 'network', 'no', 'retryable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'network', 'no', 'retryable'],
  ['CERT_HAS_EXPIRED', 'network', 'no', 'not retryable'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'network', 'no', 'not retryable'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'network', 'no', 'not retryable'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'network', 'no', 'not retryable'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network', 'no', 'not retryable'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'network', 'no', 'not retryable'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'network', 'no', 'not retryable'],
  ['EPROTO', 'network', 'no', 'not retryable'],
  ['ECONNRESET', 'network', 'maybe', 'retryable'],
  ['EPIPE', 'network', 'maybe', 'retryable'],
  ['UND_ERR_SOCKET', 'network', 'maybe', 'retryable'],
  ['ERR_HTTP2_STREAM_ERROR', 'network', 'maybe', 'retryable'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'yes', 'retryable'],
  ['ETIMEDOUT', 'timeout', 'yes', 'retryable'],
  ['UND_ERR_BODY_TIMEOUT', 'network', 'yes', 'retryable'],
  ['terminated', 'network', 'yes', 'retryable'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'network', 'yes', 'retryable'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'network', 'yes', 'retryable'],
  ['UND_ERR_HEADERS_OVERFLOW', 'malformed', 'yes', 'retryable'],
  ['HPE_INVALID_HEADER_TOKEN', 'malformed', 'yes', 'retryable'],
  ['UND_ERR_INVALID_ARG', 'local', 'no', 'retryable'],
  ['ERR_INVALID_URL', 'local', 'no', 'retryable'],
  ['ERR_INVALID_CHAR', 'local', 'no', 'retryable'],
  ['APIConnectionTimeoutError', 'timeout', 'yes', 'retryable'],
  ['UNKNOWN', 'network', 'maybe', 'retryable'],
  ['constructor', 'network', 'maybe', 'retryable'],
];

export type AbortRow = readonly [
  by: AbortCause,
  faultClass: FaultClass,
  again: 'retryable' | 'not retryable',
];

/** FAILURES §2.1: our own flags. */
export const ABORT_ROWS: readonly AbortRow[] = [
  ['caller_gone', 'cancelled', 'retryable'],
  ['write_stalled', 'cancelled', 'retryable'],
  ['shutdown', 'cancelled', 'retryable'],
  ['deadline', 'timeout', 'retryable'],
  ['headers_timeout', 'timeout', 'retryable'],
  ['idle_timeout', 'timeout', 'retryable'],
  ['ttft_timeout', 'timeout', 'not retryable'],
];

/** FAILURES §3.4: answers that nobody can understand. */
export const MALFORMED_ROWS: readonly MalformedAnswer[] = [
  'not_json',
  'not_an_object',
  'no_choices',
  'empty_body',
  'no_output',
  'bad_frame',
  'oversized_frame',
  'bad_tool_arguments',
  'unexpected_status',
  'spliced_stream',
];

/** FAILURES §5, row 10: what each class is once output went to the caller. */
export const AFTER_OUTPUT_ROWS: readonly (readonly [what: string, becomes: FaultClass, code: string])[] = [
  ['server_error', 'partial', 'server_error'],
  ['rate_limited', 'partial', 'rate_limited'],
  ['credential', 'partial', 'insufficient_quota'],
  ['caller', 'partial', 'caller'],
  ['contract', 'partial', 'contract'],
  ['network', 'partial', 'ECONNRESET'],
  ['idle timeout', 'partial', 'idle_timeout'],
  ['truncated', 'partial', 'truncated'],
  ['garbage', 'partial', 'bad_frame'],
  ['failing finish', 'partial', 'error'],
  ['refusal', 'refusal', 'content_filter'],
  ['caller gone', 'cancelled', 'caller_gone'],
  ['side effects', 'ambiguous', 'pause_turn'],
  ['our defect', 'local', 'defect'],
];
