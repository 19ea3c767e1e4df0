/** `unknown`: the store may have taken the write and not said so. */
export type Written = 'no' | 'unknown';

/** The store could not take a write or a read: a broken dependency of ours, so it is an exception. */
// eslint-disable-next-line no-restricted-syntax -- the one failure that is thrown: it must cross every layer with its cause and stack
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly written: Written;

  constructor(
    message: string,
    { cause, written = 'no' }: Readonly<{ cause?: unknown; written?: Written }> = {},
  ) {
    super(message, { cause });
    this.written = written;
  }
}
