import { StoreUnavailable } from '../../usecase/port/store-unavailable';
import { errorFactsOf } from './error-facts';

// Causes that lie in the one write, not in the store: its companions and its successors are fine. PostgreSQL's classes 22
// (data), 23 (integrity) and 54 (limits) say the same as SQLite's words.
const WRITE_AT_FAULT = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)|^(22|23|54)[0-9A-Z]{3}$/;
const STORE_CODE = /^SQLITE_|^[0-9A-Z]{5}$/;
const NETWORK_CODE = /^E(CONN[A-Z]+|PIPE|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOENT)$/;
// What drivers and the query builder report without a code: a closed database, and a connection that is lost or silent.
const GONE =
  /database connection is not open|driver has already been destroyed|^Connection terminated|connection error and is not queryable|^timeout exceeded when trying to connect|^Query read timeout|after calling end on the pool|^Client was closed|connection has been discarded/;

/** Whether the store itself failed, as opposed to a write that it refused. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  const { code, message } = errorFactsOf(error);
  if (STORE_CODE.test(code)) return !WRITE_AT_FAULT.test(code);
  return NETWORK_CODE.test(code) || GONE.test(message);
}

/** `StoreUnavailable` for a failure of the store, with its cause; anything else as it is. */
export function storeErrorOf(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !isStoreFailure(error)) return error;
  return new StoreUnavailable(`The store failed: ${errorFactsOf(error).message}`, { cause: error });
}

/** Runs work on the store, and tells a failing store from a failing write. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeErrorOf(error);
  }
}
