/** The store could not take a write or a read: a broken dependency of ours, so it is an exception. */
// eslint-disable-next-line no-restricted-syntax -- the one failure that is thrown: it must cross every layer with its cause and stack
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
