/** The store could not take a write or a read: a broken dependency of ours, so it is an exception. */
export class StoreUnavailable extends Error {
  readonly name = 'StoreUnavailable';
}
