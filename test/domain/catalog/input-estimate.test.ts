import { estimateTokens } from '../../../src/domain/catalog/input-estimate';
import type { JsonValue } from '../../../src/domain/kernel/json';

describe('input estimate', () => {
  it.each<{ name: string; input: JsonValue | undefined; tokens: number }>([
    { name: 'nothing', input: undefined, tokens: 0 },
    { name: 'null, numbers and booleans', input: [null, 7, true], tokens: 0 },
    { name: 'eight letters', input: 'abcdefgh', tokens: 2 },
    { name: 'nine letters, rounded up', input: 'abcdefghi', tokens: 3 },
    { name: 'two bytes for each of four umlauts', input: 'äöüß', tokens: 2 },
    { name: 'three bytes for each of four kanji', input: '札幌雪町', tokens: 3 },
    { name: 'four bytes for an emoji', input: '🌨', tokens: 1 },
    { name: 'names and values', input: { name: 'snow' }, tokens: 2 },
    { name: 'lists in lists', input: [['abcd', ['efgh']]], tokens: 2 },
    {
      name: 'a picture, whose bytes are no text',
      input: { type: 'image_url', image_url: { url: 'data:'.repeat(1_000) } },
      // Of `type` and `image_url`.
      tokens: 4,
    },
    {
      name: 'sound and files',
      input: [
        { type: 'input_audio', input_audio: { data: 'x'.repeat(1_000) } },
        { type: 'file', file: { file_data: 'y'.repeat(1_000) } },
      ],
      tokens: 6,
    },
    {
      name: 'a parameter of a tool that is called like a part',
      input: { properties: { file: { description: 'x'.repeat(4_000) } } },
      tokens: 1_007,
    },
  ])('of $name is $tokens', ({ input, tokens }) => {
    expect(estimateTokens([input])).toBe(tokens);
  });

  it('survives any depth', () => {
    let deep: JsonValue = 'abcd';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];

    expect(estimateTokens([deep])).toBe(1);
  });
});
