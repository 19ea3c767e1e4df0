import { matchesCode } from './code-pattern';
import type { RequestSent, Verdict } from './fault-class';

/** One line of FAILURES §3.3. */
export type NetworkRow = Readonly<{
  /** A star at the end stands for any ending. */
  codes: readonly string[];
  sent: RequestSent;
}> &
  Verdict;

/** A reset is common on a reused keep-alive connection, and says nothing about the provider: the retry needs no wait. */
export const RESET_CODES: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** FAILURES §3.3: no HTTP answer, or a connection that broke. */
export const NETWORK_TABLE: readonly NetworkRow[] = [
  {
    codes: [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'UND_ERR_CONNECT_TIMEOUT',
    ],
    class: 'network',
    sent: 'no',
  },
  // TLS is set-up, not weather: the same route fails the same way.
  {
    codes: [
      'CERT_*',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'ERR_TLS_*',
      'ERR_SSL_*',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT*',
      'EPROTO',
    ],
    class: 'network',
    sent: 'no',
    retryable: false,
  },
  { codes: [...RESET_CODES, 'ERR_HTTP2_*'], class: 'network', sent: 'maybe' },
  {
    codes: ['UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT', 'APIConnectionTimeoutError'],
    class: 'timeout',
    sent: 'yes',
  },
  {
    codes: [
      'UND_ERR_BODY_TIMEOUT',
      'terminated',
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      'ERR_STREAM_PREMATURE_CLOSE',
    ],
    class: 'network',
    sent: 'yes',
  },
  { codes: ['UND_ERR_HEADERS_OVERFLOW', 'HPE_*'], class: 'malformed', sent: 'yes' },
  { codes: ['UND_ERR_INVALID_ARG', 'ERR_INVALID_URL', 'ERR_INVALID_CHAR'], class: 'local', sent: 'no' },
];

/** An unknown code is a broken connection of which we can't say how far the request came. */
const UNKNOWN: NetworkRow = { codes: [], class: 'network', sent: 'maybe' };

/** The row of an errno or undici code. */
export function networkRowOf(code: string): NetworkRow {
  return NETWORK_TABLE.find(({ codes }) => codes.some((pattern) => matchesCode(pattern, code))) ?? UNKNOWN;
}
