import { StoreUnavailable } from '../../usecase/port/store-unavailable';
import { errorFactsOf } from './error-facts';

// Causes that lie in the one write, not in the store: its companions and its successors are fine.
const WRITE_AT_FAULT = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;
// The driver and the query builder report a closed database without a code.
const CLOSED = /database connection is not open|driver has already been destroyed/;

/** Whether the store itself failed, as opposed to a write that it refused. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  const { code, message } = errorFactsOf(error);
  return code.startsWith('SQLITE_') ? !WRITE_AT_FAULT.test(code) : CLOSED.test(message);
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
