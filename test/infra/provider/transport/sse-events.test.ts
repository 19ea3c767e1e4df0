import fc from 'fast-check';
import type { SseEvent } from '../../../../src/infra/provider/transport/sse-events';
import { SseEventReader } from '../../../../src/infra/provider/transport/sse-events';

/** Reads the bytes in the given pieces and returns every event, the end of the stream included. */
function read(pieces: readonly Uint8Array[]): SseEvent[] {
  const reader = new SseEventReader();
  const events: SseEvent[] = [];
  for (const piece of pieces) reader.feed(piece, events);
  reader.end(events);
  return events;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

const named = (name: string, data: string): SseEvent => ({ name, data, complete: true });
const plain = (data: string): SseEvent => named('', data);

describe('server-sent event reader', () => {
  describe('reads the grammar of WHATWG', () => {
    it.each<[string, string, SseEvent[]]>([
      ['line ends LF', 'data: a\n\ndata: b\n\n', [plain('a'), plain('b')]],
      ['line ends CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [plain('a'), plain('b')]],
      ['line ends CR', 'data: a\r\rdata: b\r\r', [plain('a'), plain('b')]],
      ['no space after the colon', 'data:a\n\n', [plain('a')]],
      ['only one space is taken off', 'data:  a\n\n', [plain(' a')]],
      ['several data lines', 'data: a\ndata: b\n\n', [plain('a\nb')]],
      ['a byte order mark', '\uFEFFdata: a\n\n', [plain('a')]],
      ['comments', ': waiting\n\n:\n\ndata: a\n\n: bye\n\n', [plain('a')]],
      ['empty data', 'data:\n\ndata\n\ndata: a\n\n', [plain(''), plain(''), plain('a')]],
      ['an event name', 'event: ping\ndata: {}\n\n', [named('ping', '{}')]],
      ['an event without data', 'event: ping\n\ndata: a\n\n', [plain('a')]],
      ['unknown fields', 'foo: x\nid: 7\nretry: 5\ndata: a\n\n', [plain('a')]],
    ])('%s', (_name, text, expected) => {
      expect(read([bytes(text)])).toEqual(expected);
    });
  });

  it('takes a bare error line as an event named error', () => {
    const events = read([bytes('data: a\n\nerror: {"message": "boom"}\n\n')]);

    expect(events).toEqual([plain('a'), named('error', '{"message": "boom"}')]);
  });

  it('flushes an event that the stream left without its last line end, and says so', () => {
    expect(read([bytes('data: a\n\ndata: [DONE]')])).toEqual([
      plain('a'),
      { name: '', data: '[DONE]', complete: false },
    ]);
  });

  it('replaces invalid bytes and goes on', () => {
    const broken = Buffer.concat([bytes('data: x'), Buffer.from([0xff, 0xfe]), bytes('y\n\ndata: z\n\n')]);

    expect(read([broken])).toEqual([plain('x\uFFFD\uFFFDy'), plain('z')]);
  });

  describe('refuses an event that never ends', () => {
    it.each<[string, string]>([
      ['in one line', `data: ${'a'.repeat(120)}`],
      ['in many lines', 'data: aaaaaaaaaaaaaaaa\n'.repeat(12)],
      ['in a comment', `: ${'a'.repeat(120)}`],
    ])('%s', (_name, text) => {
      const reader = new SseEventReader(100);
      const events: SseEvent[] = [];

      const results = [...bytes(text)].map((byte) => reader.feed(Uint8Array.of(byte), events));

      expect(results.at(0)).toBe('ok');
      expect(results.at(-1)).toBe('oversized');
      expect(events).toEqual([]);
    });

    it('stays refused', () => {
      const reader = new SseEventReader(10);
      reader.feed(bytes('data: aaaaaaaaaaaaaaaaaaaaaaaaa'), []);

      expect(reader.feed(bytes('data: b\n\n'), [])).toBe('oversized');
      expect(reader.end([])).toBe('oversized');
    });
  });

  it('gives the same events for every way to cut the same bytes', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
      fc.constantFrom(
        'data:',
        'data',
        ': keep-alive',
        'event: ping',
        'id: 3',
        'foo: bar',
        'error: {"a":1}',
        '',
      ),
    );
    const stream = fc.record({
      lines: fc.array(line, { maxLength: 20 }),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      cuts: fc.array(fc.nat(400), { maxLength: 30 }),
    });

    fc.assert(
      fc.property(stream, ({ lines, lineEnd, cuts }) => {
        const all = bytes(lines.map((text) => text + lineEnd).join(''));
        const edges = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
        const pieces = edges.slice(1).map((end, index) => all.subarray(edges[index], end));

        expect(read(pieces)).toEqual(read([all]));
      }),
      { numRuns: 500 },
    );
  });
});
