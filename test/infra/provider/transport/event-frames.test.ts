import type { Frame } from '../../../../src/domain/stream/frame';
import type { EventTranslator } from '../../../../src/infra/provider/transport/event-frames';
import { EventFrames } from '../../../../src/infra/provider/transport/event-frames';
import type { BodyRead } from '../../../../src/infra/provider/transport/upstream-exchange';

/** Hands out reads as they are written down; then the exchange is cut. */
class ScriptedExchange {
  ended: 'open' | 'cut' | 'released' = 'open';

  constructor(private readonly reads: BodyRead[]) {}

  async read(): Promise<BodyRead> {
    return this.reads.shift() ?? { kind: 'cut' };
  }

  cut = (): void => {
    this.ended = 'cut';
  };

  release(): void {
    this.ended = 'released';
  }
}

/** One chunk per event; `end` ends, `boom` is a bug. */
const translator: EventTranslator = {
  translate({ data }, into) {
    if (data === 'boom') throw new TypeError('secret words');
    into.push(data === 'end' ? { kind: 'end' } : chunk(data));
  },
  close: (signal) => ({ kind: 'failure', signal }),
  translateWhole: (text) => [chunk(text), { kind: 'end' }],
};

function chunk(text: string): Frame {
  return {
    kind: 'chunk',
    weight: 'decisive',
    chunk: {},
    text,
    outputChars: 1,
    finishReason: null,
    usage: null,
    sideEffects: false,
  };
}

const bytes = (...texts: string[]): BodyRead => ({
  kind: 'chunks',
  chunks: texts.map((text) => Buffer.from(text)),
});
const END: BodyRead = { kind: 'end' };

async function run(...reads: BodyRead[]): Promise<{ groups: string[][]; ended: string; activity: number }> {
  const exchange = new ScriptedExchange(reads);
  let activity = 0;
  const groups: string[][] = [];
  for await (const group of new EventFrames(exchange, translator, () => activity++)) {
    groups.push(group.map(nameOf));
  }
  return { groups, ended: exchange.ended, activity };
}

function nameOf(frame: Frame): string {
  if (frame.kind === 'chunk') return frame.text;
  return frame.kind === 'end' ? 'END' : `FAILURE ${JSON.stringify(frame.signal)}`;
}

describe('event frames', () => {
  it('come in one group per read, and reads without an event in none', async () => {
    const { groups, ended, activity } = await run(
      bytes('data: a\n\ndata: b\n\nda'),
      bytes(': only a comment\n\n'),
      bytes('data: c\n\n', 'data: end\n\ndata: never\n\n'),
    );

    expect(groups).toEqual([
      ['a', 'b'],
      ['c', 'END'],
    ]);
    expect(ended).toBe('released');
    expect(activity).toBe(3);
  });

  it.each<[string, BodyRead, string]>([
    ['the body ends', END, 'FAILURE {"kind":"truncated"}'],
    [
      'the connection breaks',
      { kind: 'broken', error: Object.assign(new Error('x'), { code: 'ECONNRESET' }) },
      'FAILURE {"kind":"network","code":"ECONNRESET"}',
    ],
  ])('close with what the translator makes of it when %s', async (_name, read, last) => {
    const { groups, ended } = await run(bytes('data: a\n\n'), read);

    expect(groups).toEqual([['a'], [last]]);
    expect(ended).toBe('cut');
  });

  it('just end when the exchange was cut', async () => {
    expect((await run(bytes('data: a\n\n'), { kind: 'cut' })).groups).toEqual([['a']]);
  });

  it('report a bug of ours as a local signal, without its message', async () => {
    const { groups, ended } = await run(bytes('data: boom\n\n'));

    expect(groups).toEqual([[expect.stringContaining('"kind":"local","cause":"defect"')]]);
    expect(JSON.stringify(groups)).not.toContain('secret words');
    expect(ended).toBe('cut');
  });

  it('refuse an event without end', async () => {
    const megabyte = bytes('a'.repeat(1024 * 1024));

    const { groups, ended } = await run(bytes('data: '), ...Array.from({ length: 17 }, () => megabyte));

    expect(groups).toEqual([['FAILURE {"kind":"malformed","what":"oversized_frame"}']]);
    expect(ended).toBe('cut');
  });

  it.each<[string, string]>([
    ['an object', ' \n{"a":1}'],
    ['a list', '[1]'],
    ['a page', '<html>'],
  ])('are made from the whole body when it is %s', async (_name, text) => {
    const half = Math.ceil(text.length / 2);

    const { groups } = await run(bytes(text.slice(0, half)), bytes(text.slice(half)), END);

    expect(groups).toEqual([[text.trim(), 'END']]);
  });

  it('close the exchange when the reader leaves', async () => {
    const exchange = new ScriptedExchange([bytes('data: a\n\n'), bytes('data: b\n\n')]);

    for await (const _group of new EventFrames(exchange, translator, () => {})) break;

    expect(exchange.ended).toBe('cut');
  });
});
