const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Keeps every SDK from calling home: what isn't for loopback is refused, and the test that tried fails. */
export function loopbackOnly(): void {
  const original = globalThis.fetch;
  const refused: string[] = [];

  beforeAll(() => {
    globalThis.fetch = async (input, init) => {
      const { hostname, href } = new URL(input instanceof Request ? input.url : input);
      if (LOOPBACK.includes(hostname)) return original(input, init);
      refused.push(href);
      throw new Error(`no call may leave this machine: ${href}`);
    };
  });
  afterEach(() => expect(refused.splice(0)).toEqual([]));
  afterAll(() => {
    globalThis.fetch = original;
  });
}
