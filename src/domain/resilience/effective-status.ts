import type { ErrorObject } from './error-object';

/**
 * The status that an answer stands for (FAILURES §2.5): the HTTP status, unless it claims success; then the one that
 * the error in the body names. Null: a success that carries an error without a status.
 */
export function effectiveStatus(httpStatus: number, error: ErrorObject | null): number | null {
  const claimsSuccess = httpStatus >= 200 && httpStatus <= 299;
  return claimsSuccess ? (error?.status ?? null) : httpStatus;
}
