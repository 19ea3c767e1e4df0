import { gzipSync } from 'node:zlib';
import { readChatBody } from '../../../../src/delivery/http/chat/chat-body';
import { LoopbackServer } from '../../../support/loopback-server';
import { RawClient } from '../../../support/raw-client';

type Outcome = Awaited<ReturnType<typeof readChatBody>>;

const LIMIT = 64;

describe('chat body', () => {
  let server: LoopbackServer;
  let proceeded: number;
  let outcome: Promise<Outcome>;
  let decide: (outcome: Outcome | Promise<Outcome>) => void;

  beforeAll(async () => {
    server = await LoopbackServer.start((req, res) => {
      const proceed = (): void => void (proceeded += 1);
      decide(readChatBody(req, { maxBytes: LIMIT, proceed }).finally(() => res.end()));
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    proceeded = 0;
    outcome = new Promise((resolve) => (decide = resolve));
  });

  const post = async (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Outcome> => {
    await fetch(server.url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return outcome;
  };

  const raw = async (text: string): Promise<RawClient> => {
    const client = await RawClient.connect(server.port);
    client.send(`POST / HTTP/1.1\r\nhost: x\r\n${text}`);
    return client;
  };

  const ofLength = (length: number): string => `["${'x'.repeat(length - 4)}"]`;
  const chunked = (body: string): string => {
    const half = Math.floor(body.length / 2);
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    return `transfer-encoding: chunked\r\n\r\n${chunk(body.slice(0, half))}${chunk(body.slice(half))}0\r\n\r\n`;
  };
  const announced = (body: string): string => `content-length: ${body.length}\r\n\r\n${body}`;

  describe.each<[name: string, frame: (body: string) => string]>([
    ['with content-length', announced],
    ['chunked', chunked],
  ])('%s', (_name, frame) => {
    it('of exactly the limit is read', async () => {
      const client = await raw(frame(ofLength(LIMIT)));

      expect(await outcome).toEqual({ ok: true, value: ['x'.repeat(LIMIT - 4)] });
      client.leave();
    });

    it('of one byte more is too large', async () => {
      const client = await raw(frame(ofLength(LIMIT + 1)));

      expect(await outcome).toEqual({ ok: false, error: { code: 'payload_too_large', limitBytes: LIMIT } });
      client.leave();
    });
  });

  it('is refused by its announced length, before any of it came', async () => {
    const client = await raw(`content-length: ${LIMIT + 1}\r\n\r\n`);

    expect(await outcome).toEqual({ ok: false, error: { code: 'payload_too_large', limitBytes: LIMIT } });
    expect(proceeded).toBe(0);
    client.leave();
  });

  it.each<[name: string, body: string, message: string]>([
    ['cut', '{"a":', 'it ends too early, at position 5.'],
    ['empty', '', 'it ends too early, at position 0.'],
    ['with a trailing comma', '{"a":1,}', 'unexpected character at position 7.'],
    ['in single quotes', "{'a':1}", 'unexpected character at position 1.'],
    ['two documents', '{}{}', 'unexpected character at position 2.'],
  ])('that is %s names the position at which it stops being JSON', async (_name, body, message) => {
    expect(await post(body)).toEqual({
      ok: false,
      error: {
        code: 'invalid_request_error',
        reason: 'invalid_value',
        param: null,
        message: `The body is not valid JSON: ${message}`,
      },
    });
  });

  it('may begin with a byte order mark', async () => {
    expect(await post('\uFEFF{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  // It used to be decoded to U+FFFD, so the provider got another text than was sent.
  it.each<[name: string, bytes: number[]]>([
    ['a lone continuation byte', [0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ])('with %s is refused', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);

    expect(await post(body)).toMatchObject({
      ok: false,
      error: { message: 'The body is not valid UTF-8.', param: null },
    });
  });

  it('keeps every character of UTF-8, and escaped lone surrogates', async () => {
    const result = await post('{"a":"ü→𝄞","b":"\\ud800"}');

    expect(result).toEqual({ ok: true, value: { a: 'ü→𝄞', b: '\ud800' } });
  });

  describe('media type', () => {
    it.each([
      ['application/json'],
      ['application/json; charset=utf-8'],
      ['Application/JSON;charset="UTF-8"'],
      ['application/json ; charset=us-ascii'],
      ['application/json; profile=x'],
    ])('%s is read', async (type) => {
      expect(await post('{}', { 'content-type': type })).toEqual({ ok: true, value: {} });
    });

    it('may be absent', async () => {
      const client = await raw('content-length: 2\r\n\r\n{}');

      expect(await outcome).toEqual({ ok: true, value: {} });
      client.leave();
    });

    it.each([
      ['text/plain'],
      ['application/jsonp'],
      ['application/x-www-form-urlencoded'],
      ['multipart/form-data; boundary=x'],
    ])('%s is refused', async (type) => {
      expect(await post('{}', { 'content-type': type })).toEqual({
        ok: false,
        error: { code: 'unsupported_media_type', message: 'The body must be application/json.' },
      });
    });

    it.each([['application/json; charset=utf-16'], ['application/json;charset="iso-8859-1"']])(
      '%s is refused',
      async (type) => {
        expect(await post('{}', { 'content-type': type })).toEqual({
          ok: false,
          error: { code: 'unsupported_media_type', message: 'The charset of the body must be UTF-8.' },
        });
      },
    );

    it.each([['gzip'], ['br'], ['identity, gzip']])('encoded as %s is refused', async (encoding) => {
      expect(await post(gzipSync('{}'), { 'content-encoding': encoding })).toEqual({
        ok: false,
        error: {
          code: 'unsupported_media_type',
          message: 'The body must not be compressed (content-encoding: identity).',
        },
      });
      expect(proceeded).toBe(0);
    });

    it('encoded as identity is read', async () => {
      expect(await post('{}', { 'content-encoding': 'Identity' })).toEqual({ ok: true, value: {} });
    });
  });

  describe('from a caller who leaves', () => {
    it.each<[name: string, rest: string]>([
      ['in the middle of a body', 'content-length: 30\r\n\r\n{"a":'],
      ['in the middle of a chunk', 'transfer-encoding: chunked\r\n\r\n5\r\n{"a"'],
      ['before the body', 'content-length: 30\r\n\r\n'],
    ])('%s is nobody’s to answer', async (_name, rest) => {
      const client = await raw(rest);
      await new Promise((resolve) => server.server.once('request', resolve));

      client.leave();

      expect(await outcome).toEqual({ ok: false, error: 'client_gone' });
    });
  });

  describe('nesting', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    let wide: LoopbackServer;
    const postWide = async (body: string): Promise<Outcome> => {
      await fetch(wide.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      return outcome;
    };

    beforeAll(async () => {
      wide = await LoopbackServer.start((req, res) => {
        decide(readChatBody(req, { maxBytes: 1_000_000 }).finally(() => res.end()));
      });
    });
    afterAll(() => wide.stop());

    it('of 100 levels is read', async () => {
      expect(await postWide(nested(100))).toMatchObject({ ok: true });
    });

    it.each([[101], [100_000]])('of %i levels is refused', async (levels) => {
      expect(await postWide(nested(levels))).toMatchObject({
        ok: false,
        error: {
          code: 'invalid_request_error',
          param: null,
          message: 'The body is nested more than 100 levels deep.',
        },
      });
    });

    it('counts objects and lists alike', async () => {
      const mixed = `${'{"a":['.repeat(50)}{}${']}'.repeat(50)}`;

      expect(await postWide(mixed)).toMatchObject({ ok: false });
    });

    it.each<[elements: number, ok: boolean]>([
      [100_000, true],
      [100_001, false],
    ])('a list of %i elements: read is %s', async (elements, readable) => {
      expect(await postWide(`[${'1,'.repeat(elements - 1)}1]`)).toMatchObject({ ok: readable });
    });
  });

  it('has `__proto__` and its like as data', async () => {
    const result = await post('{"__proto__":{"x":1},"constructor":2}');

    const value = (result.ok ? result.value : {}) as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('is asked for once, when the head is in order', async () => {
    await post('{}');

    expect(proceeded).toBe(1);
  });
});
