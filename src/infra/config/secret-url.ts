import { inspect } from 'node:util';

/** A URL that holds credentials. However it is printed, logged or serialised, they stay inside; only `reveal` tells them. */
export class SecretUrl {
  readonly #url: URL;

  private constructor(url: URL) {
    this.#url = url;
  }

  /** Null: it is no URL of one of these schemes (with their colon, e.g. `postgres:`), or may hold a password elsewhere. */
  static parse(text: string, schemes: readonly string[]): SecretUrl | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !schemes.includes(url.protocol)) return null;
    // An @ behind the host: a password with / ? or # in it has ended too early, and its rest would pass for a place.
    return `${url.pathname}${url.search}${url.hash}`.includes('@') ? null : new SecretUrl(url);
  }

  reveal(): string {
    return this.#url.href;
  }

  /** Where it points, for messages: no user, no password, and no parameters, which may hold either. */
  toString(): string {
    return `${this.#url.protocol}//${this.#url.host}${this.#url.pathname}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
