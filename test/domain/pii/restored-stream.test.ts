import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/domain/kernel/json';
import { contentNotation, restored, restoredAnswer } from '../../../src/domain/pii/restoration';
import { NOTHING_WITHHELD, restoreFrames } from '../../../src/domain/pii/restored-stream';
import type { StreamRule } from '../../../src/domain/pii/restored-stream';
import type { ChunkFrame, Frame } from '../../../src/domain/stream/frame';
import { aChunk, aFailure, aStatus, END } from '../../support/sample-frames';

const PEM = '-----BEGIN PRIVATE KEY-----\nMII="\n-----END PRIVATE KEY-----';
const RESTORABLE = new Map([
  ['[EMAIL_1]', 'a@example.com'],
  ['[EMAIL_12]', 'b@example.com'],
  ['[SECRET_1]', PEM],
]);
const RULE: StreamRule = { restorable: RESTORABLE, content: 'plain' };

function delta(said: JsonObject, finish: string | null = null, index = 0): ChunkFrame {
  const chunk = { id: 'c', choices: [{ index, delta: said, finish_reason: finish }] };
  return aChunk('', { chunk, text: JSON.stringify(chunk), finishReason: finish });
}

const args = (text: string, index = 0): JsonObject => ({
  tool_calls: [{ index, function: { arguments: text } }],
});

/** The deltas that a caller gets, one group after the other. */
function deltasOf(frames: readonly Frame[], rule = RULE): readonly JsonObject[] {
  let state = NOTHING_WITHHELD;
  const out: Frame[] = [];
  for (const frame of frames) {
    const step = restoreFrames(state, [frame], rule);
    state = step.state;
    out.push(...step.frames);
  }
  return out.flatMap((frame) => {
    if (frame.kind !== 'chunk') return [];
    expect(JSON.parse(frame.text)).toEqual(frame.chunk);
    return (frame.chunk.choices as readonly JsonObject[]).map((choice) => choice.delta as JsonObject);
  });
}

const contentOf = (frames: readonly Frame[]): string =>
  deltasOf(frames)
    .map(({ content }) => (content ?? '') as string)
    .join('');

const argumentsOf = (frames: readonly Frame[], call = 0): string =>
  deltasOf(frames)
    .flatMap(({ tool_calls: calls }) => (calls ?? []) as readonly JsonObject[])
    .filter(({ index }) => index === call)
    .map(({ function: called }) => (called as JsonObject).arguments as string)
    .join('');

describe('restored stream', () => {
  it('is the restored text, however it was cut', () => {
    const text = 'x [EMAIL_1][EMAIL_12] [EMAIL_2] [[EMAIL_1] [EMA [SECRET_1] [EMAIL_1';
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: text.length }), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, (places) => {
        const borders = [0, ...places.toSorted((one, other) => one - other), text.length];
        const pieces = borders.slice(1).map((end, index) => text.slice(borders[index], end));
        const frames = pieces.map((content) => delta({ content }));

        expect(contentOf([...frames, delta({}, 'stop'), END])).toBe(restored(text, RESTORABLE, 'plain'));
        expect(contentOf([...frames, END])).toBe(restored(text, RESTORABLE, 'plain'));
        const calls = [...pieces].map((piece) => delta(args(piece)));
        expect(argumentsOf([...calls, delta({}, 'tool_calls'), END])).toBe(
          restored(text, RESTORABLE, 'json'),
        );
      }),
    );
  });

  it('keeps the voices of an answer apart', () => {
    const frames = [
      delta({ content: '[EMAIL' }),
      delta({ reasoning_content: '[EMA' }),
      delta(args('{"to":"[EM', 0)),
      delta(args('{"to":"[EMAIL_1', 1)),
      delta({ content: '_1]' }),
      delta(args('AIL_1]"}', 0)),
      delta(args('2]"}', 1)),
      delta({}, 'tool_calls'),
      END,
    ];

    expect(contentOf(frames)).toBe('a@example.com');
    expect(argumentsOf(frames, 0)).toBe('{"to":"a@example.com"}');
    expect(argumentsOf(frames, 1)).toBe('{"to":"b@example.com"}');
    expect(
      deltasOf(frames)
        .map(({ reasoning_content: text }) => (text ?? '') as string)
        .join(''),
    ).toBe('[EMA');
  });

  it('keeps the choices of an answer apart', () => {
    const frames = [
      delta({ content: '[EMAIL' }, null, 0),
      delta({ content: '[' }, null, 1),
      delta({ content: '_1]' }, 'stop', 0),
      delta({}, 'stop', 1),
      END,
    ];

    expect(deltasOf(frames).map(({ content }) => content)).toEqual(['', '', 'a@example.com', '[']);
  });

  it('takes chunks as other dialects make them', () => {
    const odd = (choices: JsonValue): ChunkFrame => aChunk('', { chunk: { choices }, text: '{}' });
    const frames = [
      odd([null, { delta: null }, { delta: { tool_calls: ['x', { function: { arguments: '[EM' } }] } }]),
      odd([{}, {}, { delta: { tool_calls: ['x', { function: { arguments: 'AIL_1]' } }] } }]),
      odd([{ delta: { function_call: { arguments: '[EMAIL_1]' }, audio: { id: 1 } } }]),
    ];
    const { frames: after } = restoreFrames(NOTHING_WITHHELD, frames, RULE);

    // Without an index of its own a choice is the first one.
    expect(JSON.stringify(after)).toContain('a@example.com');
    expect(JSON.stringify(after)).not.toContain('[EM');
  });

  it('says what it withheld before a break', () => {
    expect(contentOf([delta({ content: 'x [EMAI' }), aFailure(aStatus(500))])).toBe('x [EMAI');
  });

  it('passes what holds nothing by reference', () => {
    const frames = [
      delta({ role: 'assistant' }),
      delta({ content: 'x' }),
      aChunk('odd'),
      delta({}, 'stop'),
      END,
    ];

    expect(restoreFrames(NOTHING_WITHHELD, frames, RULE).frames).toEqual(frames);
    restoreFrames(NOTHING_WITHHELD, frames, RULE).frames.forEach((frame, index) =>
      expect(frame).toBe(frames[index]),
    );
  });
});

describe('restored answer', () => {
  it('writes values into arguments as JSON, and into text as they are', () => {
    const body = {
      choices: [
        {
          message: {
            content: '[SECRET_1]',
            tool_calls: [{ function: { arguments: '{"key":"[SECRET_1]"}' } }],
          },
        },
      ],
    };
    const after = restoredAnswer(body, RESTORABLE, 'plain');
    const message = (after.choices as readonly JsonObject[])[0]?.message as JsonObject;
    const call = (message.tool_calls as readonly { function: { arguments: string } }[])[0];

    expect(message.content).toBe(PEM);
    expect(JSON.parse(call?.function.arguments ?? '')).toEqual({ key: PEM });
  });

  it.each<[string, JsonValue | undefined, string]>([
    ['no format', undefined, 'plain'],
    ['text', { type: 'text' }, 'plain'],
    ['an object', { type: 'json_object' }, 'json'],
    ['a schema', { type: 'json_schema' }, 'json'],
  ])('reads content that was asked for as %s', (_name, format, notation) => {
    expect(contentNotation({ response_format: format })).toBe(notation);
  });

  it('is the same object if it holds no placeholder', () => {
    const body = { choices: [{ message: { content: 'hello [EMAIL_9] [x]' } }], usage: null };

    expect(restoredAnswer(body, RESTORABLE, 'plain')).toBe(body);
  });
});
